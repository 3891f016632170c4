import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['network', 'dataset'] as const;
export const COLOURS = ['type', 'device', 'time'] as const;
export const TRACES = ['next', 'all'] as const;

export const graphState = definePageState('graph', {
  show: wordField(SHOWS),
  /** Id of the job looked at; empty: the first that has a graph. */
  job: textField(),
  tag: textField(),
  opt: flagField(),
  /** Names of what is open. */
  open: namesField(),
  /** Name of the node that is chosen. */
  node: textField(),
  colour: wordField(COLOURS),
  /** Whether parameters stand beside the flow. */
  apart: flagField(true),
  /** How far the flow from and to the chosen node is lit. */
  trace: wordField(TRACES),
  as: shownAsField,
  /** What is in the middle of the screen and how large, once it was moved, as `placeText` has it. */
  at: textField(),
});

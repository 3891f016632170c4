import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['network', 'dataset'] as const;
export const COLORS = ['structure', 'type', 'device', 'time'] as const;
export const TRACES = ['next', 'all'] as const;

export const graphState = definePageState('graph', {
  show: wordField(SHOWS),
  job: textField(),
  tag: textField(),
  opt: flagField(),
  open: namesField(),
  node: textField(),
  colour: wordField(COLORS),
  apart: flagField(true),
  /** How far the flow of the selected node is highlighted. */
  trace: wordField(TRACES),
  as: shownAsField,
  /** Center and scale of the view as `placeText` writes them; empty: the initial view. */
  at: textField(),
});

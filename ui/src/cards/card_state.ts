import { computed, type WritableComputedRef } from 'vue';

import { ownValue } from '@/base/own_value';
import { jobName } from '@/store/job_name';
import { rangeOf, rangeText, type CardTexts } from '@/base/url_fields';
import type { Range } from '@/charts/line';

export const cardName = (tag: string, trainId?: string): string =>
  trainId === undefined ? tag : `${tag}@${jobName(trainId)}`;

/** Whether a card is shown as a table, stored in the page's list of such cards. */
export const tableMode = (
  state: { tables: readonly string[] },
  card: () => string,
): WritableComputedRef<boolean> =>
  computed({
    get: () => state.tables.includes(card()),
    set: (wanted) => {
      const others = state.tables.filter((name) => name !== card());
      state.tables = wanted ? [...others, card()].sort() : others;
    },
  });

/** One card's entry of a field of the page's state; empty: the default. */
export const cardText = <Name extends string>(
  state: Record<Name, CardTexts>,
  name: Name,
  card: () => string,
): WritableComputedRef<string> =>
  computed({
    get: () => ownValue(state[name], card()) ?? '',
    set: (text) => {
      const others = Object.entries(state[name]).filter(([other]) => other !== card());
      state[name] = Object.fromEntries(text === '' ? others : [...others, [card(), text]]);
    },
  });

/** A card's range of the x axis; null: all. With `whole`, ranges of steps include at least one. */
export function cardZoom(
  state: { zoom: CardTexts },
  card: () => string,
  whole: () => boolean = () => true,
): WritableComputedRef<Range | null> {
  const text = cardText(state, 'zoom', card);
  return computed({
    get: () => rangeOf(text.value),
    set: (range) => (text.value = rangeText(range && outward(range, whole()))),
  });
}

/** The range, slightly enlarged, in numbers rounded to a thousandth of it. */
export function outward([from, to]: Range, whole: boolean): [number, number] {
  const unit = Math.max(10 ** (Math.floor(Math.log10(to - from)) - 3), whole ? 1 : 0);
  const round = (value: number): number => Number((value * unit).toPrecision(15));
  return [round(Math.floor(from / unit)), round(Math.ceil(to / unit))];
}

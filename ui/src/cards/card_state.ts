import { computed, type WritableComputedRef } from 'vue';

import { ownValue } from '@/base/own_value';
import { jobName } from '@/store/job_name';
import { rangeOf, rangeText, type CardTexts } from '@/base/url_fields';
import type { Range } from '@/charts/line';

/** What a card is called in links. */
export function cardName(tag: string, trainId?: string): string {
  return trainId === undefined ? tag : `${tag}@${jobName(trainId)}`;
}

/** Whether a card is read as a table: those that are, are listed in the page's state. */
export function tableMode(
  state: { tables: readonly string[] },
  card: () => string,
): WritableComputedRef<boolean> {
  return computed({
    get: () => state.tables.includes(card()),
    set: (wanted) => {
      const others = state.tables.filter((name) => name !== card());
      state.tables = wanted ? [...others, card()].sort() : others;
    },
  });
}

/** One card's part of what cards show in their own way; empty: as usual. */
export function cardText<Name extends string>(
  state: Record<Name, CardTexts>,
  name: Name,
  card: () => string,
): WritableComputedRef<string> {
  return computed({
    get: () => ownValue(state[name], card()) ?? '',
    set: (text) => {
      const others = Object.entries(state[name]).filter(([other]) => other !== card());
      state[name] = Object.fromEntries(text === '' ? others : [...others, [card(), text]]);
    },
  });
}

/** What a card shows of its x axis; null: all. Of steps `whole` ones are kept: between two of them is nothing. */
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

/** A little more than a range, in numbers that are a thousandth of it exact, and short. */
export function outward([from, to]: Range, whole: boolean): [number, number] {
  const unit = Math.max(10 ** (Math.floor(Math.log10(to - from)) - 3), whole ? 1 : 0);
  const round = (value: number): number => Number((value * unit).toPrecision(15));
  return [round(Math.floor(from / unit)), round(Math.ceil(to / unit))];
}

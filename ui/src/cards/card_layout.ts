import { computed, watch, type ComputedRef, type WritableComputedRef } from 'vue';
import { useRoute } from 'vue-router';

import { ownValue } from '@/base/own_value';
import { cardsField, namesField, numberField, type CardTexts } from '@/base/url_fields';
import { keep, keptJson } from '@/store/local_storage';
import { storedField } from '@/store/long_texts';
import { definePageState } from '@/store/page_state';
import { useSavedViews } from '@/store/saved_views';
import { useStatus } from '@/store/status';
import { useUrlState } from '@/store/url_state';

import {
  MOST_COLUMNS,
  readSize,
  withMove,
  writeSize,
  type CardSize,
  type Moves,
} from './arrangement';

const FIELDS = {
  /** 0: as many as fit. */
  columns: numberField(0, 0, MOST_COLUMNS),
  /** Pairs of `Moves`. */
  cards: storedField(namesField()),
  sizes: storedField(cardsField()),
};
const NAMES = ['columns', 'cards', 'sizes'] as const;

const makeLayout = (page: string) =>
  definePageState<{ columns: number; cards: readonly string[]; sizes: CardTexts }>(
    `${page}_layout`,
    FIELDS,
  );
const layouts = new Map<string, ReturnType<typeof makeLayout>>();

function layoutOf(page: string): ReturnType<typeof makeLayout> {
  const known = layouts.get(page);
  if (known) return known;
  const made = makeLayout(page);
  layouts.set(page, made);
  return made;
}

export interface CardLayout {
  /** 0: as many as fit. */
  readonly columns: WritableComputedRef<number>;
  readonly moves: ComputedRef<Moves>;
  readonly isChanged: ComputedRef<boolean>;
  readonly sizeOf: (name: string) => CardSize;
  /** Moves a card of the section with these names, in their usual order. */
  readonly move: (names: readonly string[], card: string, before: string) => void;
  /** Gives a card a size, and its whole row this height. */
  readonly resize: (name: string, size: CardSize, row: readonly string[]) => void;
  readonly reset: () => void;
}

/** How the cards of the current page are laid out. */
export function useCardLayout(): CardLayout {
  const state = layoutOf(String(useRoute().name)).use();
  const moves = computed<Moves>(() =>
    Array.from({ length: Math.floor(state.cards.length / 2) }, (_, i) => [
      state.cards[2 * i] ?? '',
      state.cards[2 * i + 1] ?? '',
    ]),
  );
  return {
    columns: computed({
      get: () => state.columns,
      set: (columns) => (state.columns = columns),
    }),
    moves,
    isChanged: computed(() => state.cards.length > 0 || Object.keys(state.sizes).length > 0),
    sizeOf: (name) => readSize(ownValue(state.sizes, name) ?? ''),
    move: (names, card, before) => {
      state.cards = withMove(moves.value, names, card, before).flat();
    },
    resize: (name, size, row) => {
      const sizes: Record<string, string> = {};
      for (const [other, text] of Object.entries(state.sizes)) {
        const own = row.includes(other) ? { ...readSize(text), height: null } : readSize(text);
        if (other !== name && writeSize(own) !== '') sizes[other] = writeSize(own);
      }
      state.sizes = writeSize(size) === '' ? sizes : { ...sizes, [name]: writeSize(size) };
    },
    reset: () => {
      state.cards = [];
      state.sizes = {};
    },
  };
}

/** Keeps the layout in the URL, and in the browser for this page and log directory. */
export function followCardLayout(): void {
  const page = String(useRoute().name);
  const layout = layoutOf(page);
  const status = useStatus();
  const url = useUrlState();
  const views = useSavedViews();
  const state = layout.follow(NAMES);
  const folder = computed(() => status.status?.summary_base_dir);
  const texts = (): readonly string[] => [
    FIELDS.columns.write(state.columns),
    FIELDS.cards.write(state.cards),
    FIELDS.sizes.write(state.sizes),
  ];
  const usual = NAMES.map(() => '');
  usual[0] = '0';
  const storedAs = (): string => `layout.${page}.${folder.value ?? ''}`;
  const isUsual = (): boolean => texts().every((text, i) => text === usual[i]);

  let before: string | null = null;
  watch(
    folder,
    (path) => {
      if (path === undefined) return;
      const stored = keptJson(storedAs());
      // Layouts of links and saved views come before the stored one.
      if (isUsual() && Array.isArray(stored) && views.opened?.page !== page) {
        const [columns, cards, sizes] = stored.map(String);
        state.columns = FIELDS.columns.read(columns ?? '') ?? 0;
        state.cards = FIELDS.cards.read(cards ?? '') ?? [];
        state.sizes = FIELDS.sizes.read(sizes ?? '') ?? {};
        url.amend();
      }
      before = JSON.stringify(texts());
    },
    { immediate: true },
  );
  watch(texts, () => {
    const now = JSON.stringify(texts());
    if (before === null || now === before) return;
    before = now;
    keep(storedAs(), isUsual() ? null : now);
  });
}

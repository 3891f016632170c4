import { computed, type ComputedRef } from 'vue';

export function folding(state: { folded: readonly string[] }): {
  folded: ComputedRef<ReadonlySet<string>>;
  fold: (section: string) => void;
} {
  const folded = computed(() => new Set(state.folded));
  return {
    folded,
    fold: (section) => {
      const next = new Set(folded.value);
      if (!next.delete(section)) next.add(section);
      state.folded = [...next].sort();
    },
  };
}

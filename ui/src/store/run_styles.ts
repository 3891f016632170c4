import {
  computed,
  shallowRef,
  watch,
  type Ref,
  type ShallowRef,
  type WritableComputedRef,
} from 'vue';

import { assignStyles, MOST_COLORS } from '@/base/job_colors';

/** Of more runs, links hold only as many colors as there are: they would be too long. */
const MOST_LINKED = 100;
/** For more runs, finding out which colors are usual would take long. */
const MOST_COMPARED = 1_000;

type Styles = ReadonlyMap<string, number>;

interface RunStyles {
  readonly styles: Readonly<ShallowRef<Styles>>;
  /** For links: the colors that do not follow from the selection. */
  readonly ownColors: WritableComputedRef<Styles>;
  /** Those of a link that shows another run: it changes no other's color. */
  readonly ownColorsWith: (trainId: string) => Styles;
}

/** Colors of runs, as indices. In a session a run keeps its color while others are selected. */
export function useRunStyles(
  selected: Readonly<Ref<readonly string[]>>,
  isComplete: () => boolean,
): RunStyles {
  const styles = shallowRef<Styles>(new Map());
  /** Of this session, the earliest first. */
  let memory: Styles = new Map();

  function assign(): void {
    styles.value = assignStyles(selected.value, memory);
    // Until the list of runs is complete, colors depend on the runs alone.
    if (isComplete()) memory = new Map([...memory, ...styles.value]);
  }
  watch([selected, isComplete], assign, { immediate: true, flush: 'sync' });

  function ownOf(trainIds: readonly string[], colors: Styles): Styles {
    if (trainIds.length > MOST_COMPARED) return new Map();
    const usual = assignStyles(trainIds);
    const own = [...colors].filter(([id, style]) => usual.get(id) !== style);
    if (own.length === 0 || trainIds.length <= MOST_COLORS) return new Map(own);
    // Runs that share a color depend on all others.
    return trainIds.length <= MOST_LINKED ? colors : earliest(colors);
  }

  function earliest(colors: Styles): Styles {
    const known = [...memory].filter(([id]) => colors.has(id));
    return new Map(known.slice(0, MOST_COLORS));
  }

  return {
    styles,
    ownColors: computed({
      get: () => ownOf(selected.value, styles.value),
      set: (colors) => {
        memory = colors;
        assign();
      },
    }),
    ownColorsWith: (trainId) => {
      const trainIds = [...selected.value, trainId];
      return ownOf(trainIds, assignStyles(trainIds, memory));
    },
  };
}

import { getJson, orNothing } from './client';

/** Points of a series that do not count, written one after the other, by rising step. */
export interface AsidePiece {
  readonly reason: 'replaced' | 'stray' | 'writer';
  /** The file, of another writer's. */
  readonly writer: string | null;
  /** How many there are in the log; the columns may hold fewer. */
  readonly count: number;
  readonly step: Float64Array;
  /** Unix seconds; NaN where the log has none. */
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
}

/** What is told of the points of a series beside those that count. */
export interface SetAside {
  /** The first step of each rewrite, ascending. */
  readonly restarts: readonly number[];
  readonly pieces: readonly AsidePiece[];
}

/** Series that were taken up again after restarts. */
export interface Restarts {
  readonly train_id: string;
  /** As logged. */
  readonly tag: string;
  /** The first step of each rewrite, ascending. */
  readonly step: readonly number[];
}

/** Restarts of jobs x tags; series without any are left out. */
export async function fetchRestarts(
  trainIds: readonly string[],
  tags: readonly string[],
): Promise<readonly Restarts[]> {
  const answer = getJson<{ restarts: readonly Restarts[] }>('datavisual/scalars/restarts', {
    train_id: trainIds,
    tag: tags,
  });
  return (await orNothing(answer))?.restarts ?? [];
}

/** Points of one series that a chart draws faintly, at most. */
const ASIDE_POINTS = 1_000;

type Column = readonly (number | null)[];
type AsideAnswer = Omit<AsidePiece, 'step' | 'wall_time' | 'value'> & {
  readonly step: Column;
  readonly wall_time: Column;
  readonly value: Column;
};

/** The points of one series that do not count. */
export async function fetchAside(trainId: string, tag: string): Promise<SetAside> {
  const answer = getJson<{
    restarts: readonly (Restarts & { readonly aside: readonly AsideAnswer[] })[];
  }>('datavisual/scalars/restarts', { train_id: trainId, tag, aside: ASIDE_POINTS });
  const one = (await orNothing(answer))?.restarts[0];
  const column = (values: Column): Float64Array =>
    Float64Array.from(values, (value) => value ?? NaN);
  return {
    restarts: one?.step ?? [],
    pieces: (one?.aside ?? []).map((piece) => ({
      ...piece,
      step: column(piece.step),
      wall_time: column(piece.wall_time),
      value: column(piece.value),
    })),
  };
}

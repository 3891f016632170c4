import { getJson, orNothing } from './client';

/** Points that were set aside, by ascending step. */
export interface AsidePiece {
  readonly reason: 'replaced' | 'stray' | 'writer';
  readonly writer: string | null;
  /** Number of points in the log; the columns may hold fewer. */
  readonly count: number;
  readonly step: Float64Array;
  /** Unix seconds; NaN if the log has none. */
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
}

/** Restarts and set-aside points of a series. */
export interface SetAside {
  readonly restarts: readonly number[];
  readonly pieces: readonly AsidePiece[];
}

export interface Restarts {
  readonly train_id: string;
  readonly tag: string;
  readonly step: readonly number[];
}

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

const ASIDE_POINTS = 1_000;

type Column = readonly (number | null)[];
type AsideAnswer = Omit<AsidePiece, 'step' | 'wall_time' | 'value'> & {
  readonly step: Column;
  readonly wall_time: Column;
  readonly value: Column;
};

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

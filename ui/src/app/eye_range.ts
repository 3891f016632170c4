import { useSelection } from '@/store/selection';

/** Hides runs or shows them again; with `through`, all since the eye clicked before. */
export function useEyeRange(listed: () => readonly string[]) {
  const selection = useSelection();
  let anchor = '';

  return (trainId: string, hides: boolean, through: boolean): void => {
    const ids = listed();
    const [from, to] = [ids.indexOf(through ? anchor : trainId), ids.indexOf(trainId)];
    anchor = trainId;
    const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    selection.hide(from < 0 ? [trainId] : range, hides);
  };
}

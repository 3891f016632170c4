import { runsText, writeColors } from './selection_url';
import { useSelection } from './selection';
import { useUrlState, type Query } from './url_state';

export type ViewWith = (trainId: string) => Query;

/** The arguments that all pages share, with a run among those that charts draw. */
export function useViewWith(): ViewWith {
  const url = useUrlState();
  const selection = useSelection();

  return (trainId) => {
    const view = url.shared();
    if (selection.visibleSet.has(trainId)) return view;
    if (!selection.selectedSet.has(trainId)) {
      const runs = runsText([...selection.selected, trainId]);
      return { ...view, runs, colors: writeColors(selection.ownColorsWith(trainId)) };
    }
    const hidden = [...selection.hidden].filter((id) => id !== trainId);
    return { ...view, hide: hidden.length === 0 ? undefined : runsText(hidden) };
  };
}

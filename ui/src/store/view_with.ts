import { runsText, writeColors } from './selection_url';
import { useSelection } from './selection';
import { useUrlState, type Query } from './url_state';

export type ViewWith = (trainId: string) => Query;

/** The arguments that all pages share, which also show a run that charts do not draw. */
export function useViewWith(): ViewWith {
  const url = useUrlState();
  const selection = useSelection();

  return (trainId) => {
    const view = url.shared();
    if (selection.visibleSet.has(trainId)) return view;
    return {
      ...view,
      show: runsText([trainId]),
      colors: writeColors(selection.ownColorsWith(trainId)),
    };
  };
}

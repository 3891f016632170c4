import { useUrlState } from './url_state';

/** Opens a run in the drawer of the runs page; the selection stays. */
export function useOpenedJob(): (trainId: string) => void {
  const url = useUrlState();
  return (trainId) => {
    void url.go('/runs', { job: trainId });
  };
}

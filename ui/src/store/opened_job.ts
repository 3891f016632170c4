import { useSelection } from './selection';
import { useUrlState } from './url_state';

export function useOpenedJob(): (trainId: string) => void {
  const selection = useSelection();
  const url = useUrlState();
  return (trainId) => {
    selection.selectOnly([trainId]);
    void url.go('/dashboard');
  };
}

import { wholeLink } from './long_texts';
import { useSelection } from './selection';
import { runsText } from './selection_url';

/** Links to the current view that open identically in other browsers, also after new runs. */
export function useShareLink(): () => string {
  const selection = useSelection();
  return () => {
    const link = wholeLink(location.href);
    if (selection.choice.kind !== 'newest' || selection.selected.length === 0) return link;
    const runs = encodeURIComponent(runsText(selection.selected)).replace(/%2F/g, '/');
    return `${link}${link.includes('?', link.indexOf('#')) ? '&' : '?'}runs=${runs}`;
  };
}

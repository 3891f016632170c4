import { deleteResource, getJson, putJson } from './client';

/** A view of the page under a name; `docs/rest-reference.md` has its limits. */
export interface SavedView {
  readonly view_id: string;
  readonly name: string;
  readonly page: string;
  /** Of the page's URL, without the question mark. */
  readonly query: string;
  /** Whether mindviz starts with it. */
  readonly is_default: boolean;
}

export type ViewChanges = Partial<Omit<SavedView, 'view_id'>>;

export const fetchViews = async (): Promise<readonly SavedView[]> =>
  (await getJson<{ views: readonly SavedView[] }>('views')).views;

export const putView = async (id: string, changes: ViewChanges): Promise<void> =>
  await putJson(`views/${id}`, {}, changes);

export const deleteView = async (id: string): Promise<void> => await deleteResource(`views/${id}`);

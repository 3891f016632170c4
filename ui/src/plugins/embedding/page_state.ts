import {
  cardsField,
  flagField,
  namesField,
  numberField,
  textField,
  wordField,
} from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const METHODS = ['pca', 'umap', 'tsne'] as const;
export type Method = (typeof METHODS)[number];
export const DISTANCES = ['cosine', 'euclidean'] as const;

export const embeddingState = definePageState('embedding', {
  tags: textField(),
  method: wordField(METHODS),
  /** Of how many neighbours UMAP and t-SNE keep what is near, where there are as many. */
  neighbours: numberField(15, 2, 200),
  perplexity: numberField(30, 2, 200),
  flat: flagField(),
  /** Name of the column of labels that colours the points; empty: the first. */
  colour: textField(),
  /** Whether points are shown as pictures, where there are some. */
  sprites: flagField(),
  as: shownAsField,
  find: textField(),
  distance: wordField(DISTANCES),
  /** Where one looks from, and the points that are chosen. */
  cam: cardsField(),
  point: cardsField(),
  folded: namesField(),
});

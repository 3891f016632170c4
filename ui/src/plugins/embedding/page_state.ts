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
  /** UMAP's neighbors and the perplexity of t-SNE. */
  neighbours: numberField(15, 2, 200),
  perplexity: numberField(30, 2, 200),
  flat: flagField(),
  /** Name of the label column that colors points; empty: the first. */
  colour: textField(),
  sprites: flagField(),
  /** Names beside the points that are selected, near or found. */
  names: flagField(true),
  as: shownAsField,
  find: textField(),
  distance: wordField(DISTANCES),
  cam: cardsField(),
  point: cardsField(),
  folded: namesField(),
});

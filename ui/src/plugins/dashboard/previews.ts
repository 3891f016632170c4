import type { Component } from 'vue';

import { meshName } from '../mesh/mesh_name';
import AudioPreview from './AudioPreview.vue';
import CurvePreview from './CurvePreview.vue';
import EmbeddingPreview from './EmbeddingPreview.vue';
import GraphPreview from './GraphPreview.vue';
import HistogramPreview from './HistogramPreview.vue';
import HparamsPreview from './HparamsPreview.vue';
import ImagePreview from './ImagePreview.vue';
import LandscapePreview from './LandscapePreview.vue';
import LayoutPreview from './LayoutPreview.vue';
import MeshPreview from './MeshPreview.vue';
import RunMetadataPreview from './RunMetadataPreview.vue';
import ScalarPreview from './ScalarPreview.vue';
import TensorPreview from './TensorPreview.vue';
import TextPreview from './TextPreview.vue';

/** A glimpse of one kind of data. */
export interface Preview {
  readonly view: Component;
  /** How many tags it is of; null: of the job as a whole, whose tags are names that writers gave. */
  readonly most: number | null;
  /** How its tags stand: below each other, as tiles, or two beside each other. */
  readonly layout: 'rows' | 'tiles' | 'halves';
  /** What a tag is called, where several are one thing. */
  readonly nameOf?: (tag: string) => string;
}

/** By the server's plugin; of a kind that is not here the tags are told. */
export const PREVIEWS: Readonly<Record<string, Preview>> = {
  scalar: { view: ScalarPreview, most: 8, layout: 'rows' },
  image: { view: ImagePreview, most: 6, layout: 'tiles' },
  histogram: { view: HistogramPreview, most: 4, layout: 'halves' },
  tensor: { view: TensorPreview, most: 6, layout: 'rows' },
  text: { view: TextPreview, most: 2, layout: 'rows' },
  audio: { view: AudioPreview, most: 2, layout: 'rows' },
  graph: { view: GraphPreview, most: 4, layout: 'rows' },
  pr_curve: { view: CurvePreview, most: 4, layout: 'halves' },
  roc_curve: { view: CurvePreview, most: 4, layout: 'halves' },
  mesh: { view: MeshPreview, most: 5, layout: 'rows', nameOf: meshName },
  embedding: { view: EmbeddingPreview, most: 2, layout: 'halves' },
  hparams: { view: HparamsPreview, most: null, layout: 'rows' },
  run_metadata: { view: RunMetadataPreview, most: 5, layout: 'rows' },
  loss_landscape: { view: LandscapePreview, most: null, layout: 'rows' },
  custom_scalars: { view: LayoutPreview, most: null, layout: 'rows' },
};

/** The chart in a notebook cell: an anywidget whose data comes from the kernel. */
import '../app/styles/tokens.css';
import '../app/styles/elements.css';

import { createApp } from 'vue';

import { createMessages } from '@/i18n';
import * as chart from '@/plugins/scalar/messages';

import { contentOf } from './chart_content';
import type { KernelModel } from './kernel';
import NotebookChart from './NotebookChart.vue';

/** The build replaces this by the styles of all modules. */
const STYLES = '__STYLES__';

interface Cell {
  readonly model: KernelModel;
  readonly el: HTMLElement;
}

function render({ model, el }: Cell): () => void {
  // The picture for saved notebooks, in another output of the cell.
  for (const still of document.querySelectorAll<HTMLElement>(`.${String(model.get('still'))}`))
    still.style.display = 'none'; // JupyterLab's styles show hidden images
  // Neither the notebook's styles nor these reach the other side.
  const shadow = el.attachShadow({ mode: 'open' });
  const styles = document.createElement('style');
  styles.textContent = STYLES;
  const place = document.createElement('div');
  shadow.append(styles, place);
  // JupyterLab's shortcuts would take the chart's keys.
  el.dataset['lmSuppressShortcuts'] = 'true';
  const { i18n, add } = createMessages(locale(), { en: NO_TITLES, zh: NO_TITLES });
  add(new Map([['scalar', chart]]));
  const app = createApp(NotebookChart, { model, content: contentOf(model) });
  app.use(i18n).mount(place);
  return () => app.unmount();
}

const NO_TITLES = { page: {}, place: {} };

const locale = (): 'en' | 'zh' =>
  /^zh/i.test(document.documentElement.lang || navigator.language) ? 'zh' : 'en';

export default { render };

import type { Plugin } from './plugin';
import { scalarCommands } from './scalar/commands';

export const plugin: Plugin = {
  name: 'scalar',
  title: { en: 'Scalars', zh: '标量' },
  icon: 'scalar',
  order: 10,
  cardOf: (tag) => tag,
  view: () => import('./scalar/ScalarPage.vue'),
  commands: scalarCommands,
};

import type { Plugin } from '../plugin';
import { scalarCommands } from './commands';

export const plugin: Plugin = {
  name: 'scalar',
  title: { en: 'Scalars', zh: '标量' },
  place: 'charts',
  icon: 'M3 15l4.5-5.5 3 2.5L17 4.5',
  order: 10,
  cardOf: (tag) => tag,
  compares: true,
  view: () => import('./ScalarPage.vue'),
  commands: scalarCommands,
  keys: [
    { keys: ['L'], what: 'logY' },
    { keys: ['R'], what: 'reset' },
    { keys: ['n', 'p'], what: 'event' },
  ],
};

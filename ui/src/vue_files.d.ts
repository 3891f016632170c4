// For eslint; vue-tsc has its own types of .vue files.
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}

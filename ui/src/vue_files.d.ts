// vue-tsc knows the types of .vue files itself; eslint's type information comes from here.
declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}

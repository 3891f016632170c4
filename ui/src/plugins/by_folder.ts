/** Modules found by `import.meta.glob('<any>/<folder>/<file>')`, by the names of their folders. */
export const byFolder = <Module>(modules: Readonly<Record<string, Module>>): Map<string, Module> =>
  new Map(Object.entries(modules).map(([path, module]) => [path.split('/').at(-2) ?? '', module]));

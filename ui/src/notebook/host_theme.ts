import { onScopeDispose, shallowRef, type Ref } from 'vue';

import type { Theme } from '@/base/job_colors';

/** The theme of the notebook around a chart: JupyterLab's, VS Code's or Colab's, else the system's. */
export function useHostTheme(): Readonly<Ref<Theme>> {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const theme = shallowRef<Theme>(hostTheme(media.matches));
  const follow = (): void => {
    theme.value = hostTheme(media.matches);
  };
  const observer = new MutationObserver(follow);
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true });
  media.addEventListener('change', follow);
  onScopeDispose(() => {
    observer.disconnect();
    media.removeEventListener('change', follow);
  });
  return theme;
}

function hostTheme(systemIsDark: boolean): Theme {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  const colab = document.documentElement.getAttribute('theme');
  const isDark =
    jpThemeLight !== undefined
      ? jpThemeLight === 'false'
      : vscodeThemeKind !== undefined
        ? ['vscode-dark', 'vscode-high-contrast'].includes(vscodeThemeKind)
        : colab !== null
          ? colab === 'dark'
          : systemIsDark;
  return isDark ? 'dark' : 'light';
}

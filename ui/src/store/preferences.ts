import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';

import type { Theme } from '@/base/job_colors';
import { printing } from '@/paper/printing';

import { keep, kept } from './local_storage';

const LOCALES = ['en', 'zh'] as const;
export type Locale = (typeof LOCALES)[number];

export const THEMES = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof THEMES)[number];

/** Pixels; by default, four tokens of a short name and a value have room, and more in wide windows. */
const PANEL = { least: 200, most: 640, usual: 336, wide: 440 };

/** Preferences of the person, not part of the URL. */
export const usePreferences = defineStore('preferences', () => {
  const selectedTheme = ref<Theme | null>(oneOf(['light', 'dark'], kept('theme')));
  const locale = ref<Locale>(oneOf(LOCALES, kept('locale')) ?? browserLocale());
  const usualWidth = matchMedia('(min-width: 1900px)').matches ? PANEL.wide : PANEL.usual;
  const panelWidth = ref(boundedWidth(Number(kept('panel-width') ?? usualWidth)));
  const legend = ref(kept('legend') === 'yes');
  const panelOpen = ref(kept('panel-open') !== 'no');
  /** Whether keys without Ctrl or Cmd are shortcuts; off for speech input (WCAG 2.1.4). */
  const singleKeys = ref(kept('single-keys') !== 'no');

  const darkMedia = matchMedia('(prefers-color-scheme: dark)');
  const systemDark = ref(darkMedia.matches);
  darkMedia.addEventListener('change', () => (systemDark.value = darkMedia.matches));

  const systemTheme = computed<Theme>(() => (systemDark.value ? 'dark' : 'light'));
  const theme = computed<Theme>(() =>
    printing.value ? 'light' : (selectedTheme.value ?? systemTheme.value),
  );

  watch(selectedTheme, (value) => keep('theme', value));
  watch(locale, (value) => keep('locale', value));
  watch(panelWidth, (value) => keep('panel-width', String(value)));
  watch(panelOpen, (value) => keep('panel-open', value ? 'yes' : 'no'));
  watch(legend, (value) => keep('legend', value ? 'yes' : 'no'));
  watch(singleKeys, (value) => keep('single-keys', value ? 'yes' : 'no'));

  const nextTheme = computed<ThemeChoice>(() => {
    if (selectedTheme.value === systemTheme.value) return 'system';
    return theme.value === 'dark' ? 'light' : 'dark';
  });

  function setTheme(choice: ThemeChoice): void {
    selectedTheme.value = choice === 'system' ? null : choice;
  }

  function switchLocale(): void {
    locale.value = locale.value === 'en' ? 'zh' : 'en';
  }

  function resizePanel(width: number = usualWidth): void {
    panelWidth.value = boundedWidth(width);
  }

  return {
    theme,
    nextTheme,
    locale,
    panelWidth,
    legend,
    panelOpen,
    singleKeys,
    setTheme,
    switchLocale,
    resizePanel,
  };
});

function boundedWidth(width: number): number {
  return Math.round(Math.min(PANEL.most, Math.max(PANEL.least, width || PANEL.usual)));
}

function browserLocale(): Locale {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | null {
  return values.find((value) => value === text) ?? null;
}

import { onBeforeUnmount, onMounted } from 'vue';

import { usePreferences } from './preferences';

/**
 * Single-key shortcuts while the component is mounted; off in fields, in modal dialogs and by
 * preference.
 */
export function useShortcuts(actions: Readonly<Record<string, () => unknown>>): void {
  const preferences = usePreferences();

  function pressed(event: KeyboardEvent): void {
    if (
      !preferences.singleKeys ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented
    )
      return;
    if (isTyping(event.target) || document.querySelector('dialog:modal') !== null) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  onMounted(() => addEventListener('keydown', pressed));
  onBeforeUnmount(() => removeEventListener('keydown', pressed));
}

/** Shortcuts with Ctrl or Cmd, such as `z` or `shift+z`; off in text fields. */
export function useChords(actions: Readonly<Record<string, () => unknown>>): void {
  function pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) && !(event.target as HTMLElement).matches('select')) return;
    const action = actions[`${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`];
    if (!action) return;
    event.preventDefault();
    action();
  }
  onMounted(() => addEventListener('keydown', pressed));
  onBeforeUnmount(() => removeEventListener('keydown', pressed));
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=range], [type=checkbox], [type=radio]), textarea, select')
  );
}

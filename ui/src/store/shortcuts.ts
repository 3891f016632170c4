import { onBeforeUnmount, onMounted } from 'vue';

import { hasModifier } from '@/base/keys';

import { usePreferences } from './preferences';

/** Single-key shortcuts; off in fields, in modal dialogs and by preference. */
export function useShortcuts(actions: Actions): void {
  const preferences = usePreferences();
  useKeys(actions, (event) =>
    preferences.singleKeys &&
    !hasModifier(event) &&
    !isTyping(event.target) &&
    document.querySelector('dialog:modal') === null
      ? event.key
      : '',
  );
}

/** Shortcuts with Ctrl or Cmd, such as `z` or `shift+z`; off in text fields. */
export function useChords(actions: Actions): void {
  useKeys(actions, (event) =>
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    (!isTyping(event.target) || event.target instanceof HTMLSelectElement)
      ? `${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`
      : '',
  );
}

type Actions = Readonly<Record<string, () => unknown>>;

function useKeys(actions: Actions, nameOf: (event: KeyboardEvent) => string): void {
  function pressed(event: KeyboardEvent): void {
    const action = event.defaultPrevented ? undefined : actions[nameOf(event)];
    if (!action) return;
    event.preventDefault();
    action();
  }
  onMounted(() => addEventListener('keydown', pressed));
  onBeforeUnmount(() => removeEventListener('keydown', pressed));
}

/** Whether keys write into this element. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=range], [type=checkbox], [type=radio]), textarea, select')
  );
}

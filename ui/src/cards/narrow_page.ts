import { onScopeDispose, ref, type Ref } from 'vue';

/** Whether the window is at most so wide, in CSS pixels; by default as wide as a phone. */
export function useNarrowPage(most = 599): Readonly<Ref<boolean>> {
  const media = matchMedia(`(max-width: ${most}px)`);
  const narrow = ref(media.matches);
  const follow = (): void => {
    narrow.value = media.matches;
  };
  media.addEventListener('change', follow);
  onScopeDispose(() => media.removeEventListener('change', follow));
  return narrow;
}

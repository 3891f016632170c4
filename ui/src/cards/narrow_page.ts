import { onScopeDispose, ref, type Ref } from 'vue';

export function useNarrowPage(): Readonly<Ref<boolean>> {
  const media = matchMedia('(max-width: 599px)');
  const narrow = ref(media.matches);
  const follow = (): void => {
    narrow.value = media.matches;
  };
  media.addEventListener('change', follow);
  onScopeDispose(() => media.removeEventListener('change', follow));
  return narrow;
}

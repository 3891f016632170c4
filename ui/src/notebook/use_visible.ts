import { onBeforeUnmount, onMounted, type Ref } from 'vue';

/** Calls back when the element comes into view, and when it leaves it or the tab is hidden. */
export function useVisible(
  element: Readonly<Ref<HTMLElement | null>>,
  changed: (isVisible: boolean) => void,
): void {
  let intersects = false;
  let isVisible = false;
  const follow = (): void => {
    const now = intersects && document.visibilityState === 'visible';
    if (now !== isVisible) changed((isVisible = now));
  };
  const observer = new IntersectionObserver((entries) => {
    intersects = entries.at(-1)?.isIntersecting ?? false;
    follow();
  });
  onMounted(() => {
    if (element.value) observer.observe(element.value);
    document.addEventListener('visibilitychange', follow);
  });
  onBeforeUnmount(() => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', follow);
  });
}

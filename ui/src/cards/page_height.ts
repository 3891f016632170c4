import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue';

/** Pixels above the first card and below it: header, tabs, toolbar, name of the section. */
const AROUND = 216;

/** The height of a card that fills the page, in CSS pixels. */
export function usePageHeight(least: number): Readonly<Ref<number>> {
  const height = ref(least);
  function measure(): void {
    height.value = Math.max(least, innerHeight - AROUND);
  }
  onMounted(() => {
    measure();
    addEventListener('resize', measure);
  });
  onBeforeUnmount(() => removeEventListener('resize', measure));
  return height;
}

import { nextTick, onBeforeUnmount, onMounted, readonly, ref, watch, type Ref } from 'vue';

import type { Size } from '@/base/shapes';

/** CSS pixels that pages are laid out for; `app/styles/print.css` scales them to the paper. */
export const PAPER_WIDTH = 900;
/** Of a page at that width, on A4 and Letter. */
const PAPER_HEIGHT = 1_220;
const WIDE_PAPER_HEIGHT = 610;

const TIMEOUT = 20_000;

const isPrinting = ref(false);

/** Whether the page is laid out for paper: all rows, light colors, no controls. */
export const printing = readonly(isPrinting);

let scrolled: readonly (readonly [Element, number])[] = [];

function layOut(forPaper: boolean): void {
  if (forPaper === isPrinting.value) return;
  const root = document.documentElement;
  if (forPaper) {
    scrolled = [...document.querySelectorAll('.scroller')].map((element) => [
      element,
      element.scrollTop,
    ]);
    closePopovers();
  }
  root.classList.toggle('printing', forPaper);
  isPrinting.value = forPaper;
  void nextTick(() => {
    fit(forPaper);
    if (forPaper) return;
    for (const [element, top] of scrolled) element.scrollTop = top;
    scrolled = [];
  });
}

/** Tables that would shrink to less are printed on landscape paper. */
const READABLE = 0.6;

/** Shows all of what scrolls, and shrinks tables that are wider than their place. */
function fit(forPaper: boolean): void {
  let least = 1;
  for (const element of document.querySelectorAll<HTMLElement>('main *'))
    element.classList.toggle('whole', forPaper && scrolls(element));
  for (const table of document.querySelectorAll<HTMLElement>('main :is(table, [role=table])')) {
    table.style.zoom = '';
    const room = table.parentElement?.clientWidth ?? 0;
    if (!forPaper || table.scrollWidth <= room) continue;
    const zoom = room / table.scrollWidth;
    table.style.zoom = String(zoom);
    least = Math.min(least, zoom);
  }
  const isWide = least < READABLE;
  document.documentElement.classList.toggle('wide-paper', isWide);
  const height = isWide ? WIDE_PAPER_HEIGHT : PAPER_HEIGHT;
  for (const place of document.querySelectorAll<HTMLElement>('main .area > *'))
    place.classList.toggle('tall', forPaper && place.offsetHeight > height);
}

function scrolls(element: HTMLElement): boolean {
  const { overflowX, overflowY } = getComputedStyle(element);
  return element.classList.contains('whole') || /auto|scroll/.test(overflowX + overflowY);
}

/** Menus and tooltips; a card in full screen stays, because its page prints it alone. */
function closePopovers(): void {
  for (const open of document.querySelectorAll<HTMLElement>(':popover-open:not(.card)'))
    open.hidePopover();
}

/** Follows the browser's own printing, in which nothing can be requested any more. */
export function followPrinting(): void {
  const media = matchMedia('print');
  const follow = (): void => layOut(media.matches);
  media.addEventListener('change', follow);
  follow();
  addEventListener('beforeprint', () => {
    layOut(true);
    // Cards may have been drawn since the page was laid out.
    void nextTick(() => fit(true));
  });
  addEventListener('afterprint', follow);
}

/** Prints the page once all of it is loaded and drawn, at the latest after some seconds. */
export async function printPage(): Promise<void> {
  if (isPrinting.value) return;
  layOut(true);
  const end = performance.now() + TIMEOUT;
  for (let quiet = 0; quiet < 3 && performance.now() < end;) {
    await new Promise((done) => setTimeout(done, 100));
    quiet = isBusy() ? 0 : quiet + 1;
  }
  print();
  layOut(false);
}

function isBusy(): boolean {
  return (
    document.querySelector('main [aria-busy=true]') !== null ||
    [...document.querySelectorAll<HTMLImageElement>('main img')].some(({ complete }) => !complete)
  );
}

/** Follows an element's size. For paper it is measured at once: observers run too late. */
export function useResize(
  element: Readonly<Ref<HTMLElement | null>>,
  resized: (size: Size) => void,
): void {
  function measure(): void {
    if (element.value)
      resized({ width: element.value.clientWidth, height: element.value.clientHeight });
  }
  const observer = new ResizeObserver(measure);
  onMounted(() => {
    if (element.value) observer.observe(element.value);
    if (isPrinting.value) measure();
  });
  onBeforeUnmount(() => observer.disconnect());
  watch(isPrinting, measure, { flush: 'post' });
}

/** Milliseconds of a frame that drawing may take; what is left waits for the next. */
const BUDGET = 8;

const waiting = new Map<object, () => void>();
let asked = false;

/** Draw with one of the next frames, in the order of asking; of several drawings of one owner the last. */
export function drawSoon(owner: object, draw: () => void): void {
  waiting.set(owner, draw);
  ask();
}

/** What the owner wanted drawn need not be any more. */
export function drawNever(owner: object): void {
  waiting.delete(owner);
}

function ask(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => void run());
}

async function run(): Promise<void> {
  const end = performance.now() + BUDGET;
  for (const [owner, draw] of waiting) {
    waiting.delete(owner);
    try {
      draw();
    } catch (error) {
      // What cannot be drawn is told as any error of the page is; the others are drawn all the same.
      reportError(error);
    }
    // uPlot paints in a microtask: still in this frame, and part of what it costs.
    await Promise.resolve();
    await Promise.resolve();
    if (performance.now() >= end) break;
  }
  asked = false;
  if (waiting.size > 0) ask();
}

import { printing } from '@/paper/printing';

const BUDGET = 8;

const waiting = new Map<object, () => void>();
let scheduled = false;

export function drawSoon(owner: object, draw: () => void): void {
  // No frame comes before the browser prints.
  if (printing.value) {
    waiting.delete(owner);
    draw();
    return;
  }
  waiting.set(owner, draw);
  schedule();
}

export function drawNever(owner: object): void {
  waiting.delete(owner);
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => void run());
}

async function run(): Promise<void> {
  const end = performance.now() + BUDGET;
  for (const [owner, draw] of waiting) {
    waiting.delete(owner);
    try {
      draw();
    } catch (error) {
      reportError(error);
    }
    await Promise.resolve();
    await Promise.resolve();
    if (performance.now() >= end) break;
  }
  scheduled = false;
  if (waiting.size > 0) schedule();
}

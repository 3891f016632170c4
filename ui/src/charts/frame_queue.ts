const BUDGET = 8;

const waiting = new Map<object, () => void>();
let asked = false;

export function drawSoon(owner: object, draw: () => void): void {
  waiting.set(owner, draw);
  ask();
}

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
      reportError(error);
    }
    await Promise.resolve();
    await Promise.resolve();
    if (performance.now() >= end) break;
  }
  asked = false;
  if (waiting.size > 0) ask();
}

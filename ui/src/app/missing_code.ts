import { ref, type App } from 'vue';

/** Whether code could not be loaded: an updated server has no files of earlier versions. */
export const codeMissing = ref(false);

/** Report failed imports with `codeMissing` instead of as errors of whatever needs the code. */
export function followMissingCode(app: App): void {
  const reasons = new WeakSet<object>();
  const isReported = (reason: unknown): boolean =>
    typeof reason === 'object' && reason !== null && reasons.has(reason);
  window.addEventListener('vite:preloadError', ({ payload }) => {
    reasons.add(payload);
    codeMissing.value = true;
  });
  window.addEventListener('unhandledrejection', (event) => {
    if (isReported(event.reason)) event.preventDefault();
  });
  app.config.errorHandler = (reason) => {
    if (!isReported(reason)) reportError(reason);
  };
}

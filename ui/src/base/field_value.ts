export function fieldValue(event: Event): string {
  const field = event.target;
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) return field.value;
  throw new TypeError('not an event of a form field');
}

/** The fields of a text that is a JSON object, such as the arguments that Hugging Face's Trainer logs. */
export function jsonEntries(text: string): readonly (readonly [name: string, value: string])[] {
  const bare = text.trim().replace(/^```(?:json)?\s*|\s*```$/g, '');
  if (!bare.startsWith('{') || !bare.endsWith('}')) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(bare);
  } catch {
    return [];
  }
  return typeof parsed === 'object' && parsed !== null
    ? Object.entries(parsed).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
    : [];
}

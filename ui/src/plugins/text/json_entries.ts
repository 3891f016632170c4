/** The fields of a text that is a JSON object, such as the arguments that Hugging Face's Trainer logs. */
export function jsonEntries(text: string): readonly (readonly [name: string, value: string])[] {
  const bare = text.trim().replace(/^```(?:json)?\s*|\s*```$/g, '');
  if (!bare.startsWith('{') || !bare.endsWith('}')) return [];
  try {
    JSON.parse(bare);
  } catch {
    return [];
  }
  return topFields(bare).map(([name, value]) => [
    JSON.parse(name) as string,
    value.startsWith('"') ? (JSON.parse(value) as string) : value,
  ]);
}

/** Strings, brackets, or runs of anything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/** Names and values of valid JSON as they are written: parsed numbers would be 0.00005 for 5e-05. */
function topFields(json: string): (readonly [name: string, value: string])[] {
  const fields: [string, string][] = [];
  let depth = 0;
  let [name, value] = ['', ''];
  let inValue = false;
  for (const [token] of json.matchAll(TOKEN)) {
    if (/[\]}]/.test(token) && token.length === 1) depth--;
    if (depth === 0 || (depth === 1 && token === ',')) {
      if (inValue) fields.push([name, value]);
      inValue = false;
      value = '';
    } else if (depth === 1 && token === ':') inValue = true;
    else if (inValue) value += token === ',' || token === ':' ? `${token} ` : token;
    else name = token;
    if (/[[{]/.test(token) && token.length === 1) depth++;
  }
  return fields;
}

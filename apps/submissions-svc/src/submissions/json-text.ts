/** The deepest nesting of `jsonData` and `metadata` that is accepted. */
export const deepestJson = 100;

/**
 * Returns whether valid JSON text is nested deeper, also in a member that a later one of its name replaces.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > deepestJson) return true;
  }
  return false;
}

/** The position after the closing quote of the string that starts at `from`. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  throw new Error('The text is not valid JSON.');
}

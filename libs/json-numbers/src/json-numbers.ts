/** Begins the text of a number. Only this process knows it, so no string of a client begins with it. */
const mark = `number-${[...crypto.getRandomValues(new Uint32Array(4))].join('-')}:`;
const marked = new RegExp(`"${mark}([^"]+)"`, 'g');

/** Finds JSON text that may have a number which a 64-bit float does not keep as it is written. */
const mayLoseDigits = /(?:^|[[:,\s])(?:-?\d{16}|-?\d+[.eE]|-0)/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The value of JSON text. A number whose text a 64-bit float would change, such as `1.0` or 9007199254740993,
 * is a string that `digitsOf` and `writeJson` understand.
 *
 * @throws {SyntaxError} if the text is not valid JSON
 */
export const readJson = (text: string): unknown =>
  JSON.parse(
    mayLoseDigits.test(text)
      ? text.replace(stringOrNumber, (part) =>
          part.startsWith('"') || String(Number(part)) === part ? part : `"${mark}${part}"`,
        )
      : text,
  );

/** JSON text of a value of `readJson`: its numbers are written as they were. */
export function writeJson(
  value: unknown,
  replacer?: (name: string, value: unknown) => unknown,
  space?: number,
): string {
  const text = JSON.stringify(value, replacer, space);
  return text.includes(mark) ? text.replace(marked, '$1') : text;
}

/** The text of a number of `readJson`; null for what is not a number. */
export function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : null;
}

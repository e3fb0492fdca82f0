/** Begins the text of a number. Only this process knows it, so no string of a client begins with it. */
const mark = `number-${[...crypto.getRandomValues(new Uint32Array(4))].join('-')}:`;
const marked = new RegExp(`"${mark}([^"]+)"`, 'g');

/** Finds JSON text that may have a number which a 64-bit float does not keep as it is written. */
const mayLoseDigits = /(?:^|[[:,\s])(?:-?\d{16}|-?\d+[.eE]|-0)/;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * The value of JSON text. A number whose text a 64-bit float would change, such as `1.0` or 9007199254740993,
 * is a string that `digitsOf` and `writeJson` understand.
 *
 * @throws {SyntaxError} if the text is not valid JSON
 */
export const readJson = (text: string): unknown => readNumbers(text, (found) => `"${mark}${found}"`);

/**
 * The same for clients that have 64-bit floats only: a number with another value than its float, such as
 * 9007199254740993 or 1e400, is its text.
 */
export const readJsonForFloats = (text: string): unknown =>
  readNumbers(text, (found) => (isFloat(found) ? `"${mark}${found}"` : `"${found}"`));

function readNumbers(text: string, written: (number: string) => string): unknown {
  if (!mayLoseDigits.test(text)) return JSON.parse(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    number.lastIndex = at;
    const [found] = number.exec(text) ?? [];
    if (found !== undefined && String(Number(found)) !== found) {
      parts.push(text.slice(from, at), written(found));
      from = at + found.length;
    }
    at += found?.length ?? 1;
  }
  return JSON.parse(parts.join('') + text.slice(from));
}

/** The place after a string. A regular expression would need a stack as deep as a string is long. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

const isFloat = (text: string): boolean => valueOf(text) === valueOf(String(Number(text)));

/** The significant digits of a number, and the place of the first one after the point. */
function valueOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\w+?)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text)!;
  const digits = (whole! + fraction).replace(/^0+/, '');
  const place = Number(exponent) + digits.length - fraction.length;
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '0' : `${sign}${significant}e${place}`;
}

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

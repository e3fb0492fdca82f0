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
export const readJson = (text: string): unknown => readNumbers(text, (number) => `"${mark}${number}"`);

/**
 * The same for clients that have 64-bit floats only: a number with another value than its float, such as
 * 9007199254740993 or 1e400, is its text.
 */
export const readJsonForFloats = (text: string): unknown =>
  readNumbers(text, (number) => (isFloat(number) ? `"${mark}${number}"` : `"${number}"`));

function readNumbers(text: string, written: (number: string) => string): unknown {
  if (!mayLoseDigits.test(text)) return JSON.parse(text);
  const isKept = (part: string) => part.startsWith('"') || String(Number(part)) === part;
  return JSON.parse(text.replace(stringOrNumber, (part) => (isKept(part) ? part : written(part))));
}

const isFloat = (number: string): boolean => valueOf(number) === valueOf(String(Number(number)));

/** The significant digits of a number, and the place of the first one after the point. */
function valueOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\w+?)(?:\.(\d+))?(?:[eE](.+))?$/.exec(
    number,
  )!;
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

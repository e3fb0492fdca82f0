/** The members of an object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object, and no array. */
export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a value; none if it is no object. */
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** A value that is a text, else the empty text. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text of a definition, or texts by language, in a language; else in another one that it has. */
export function textIn(text: unknown, language: string): string {
  if (!isObject(text)) return stringOf(text);
  const all = [text[language], text['default'], text['en'], ...Object.values(text)];
  return all.map(stringOf).find(Boolean) ?? '';
}

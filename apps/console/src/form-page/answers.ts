/** Marks names in SurveyJS. It is invisible, and unlike a space it is not trimmed. */
const mark = '\u200b';

/**
 * SurveyJS fails for questions with the name of a member of every object, such as `__proto__`. It gets them
 * with the mark at the end, which is no part of the answers that are sent.
 */
const isOfObjects = (name: string): boolean => name in Object.prototype;
const inner = (name: string): string => (isOfObjects(name) ? `${name}${mark}` : name);
const outer = (name: string): string => (name.endsWith(mark) ? name.slice(0, -1) : name);

/** A definition for SurveyJS. */
export const definitionFor = (definition: object): object =>
  JSON.parse(JSON.stringify(definition), (key, value: unknown) =>
    key === 'name' && typeof value === 'string' ? inner(value) : value,
  ) as object;

/** The answers of SurveyJS as they are sent. */
export const jsonOf = (data: object): string =>
  `{${Object.entries(data)
    .map(([name, value]) => `${JSON.stringify(outer(name))}:${JSON.stringify(value)}`)
    .join(',')}}`;

/** The answers that were sent, for SurveyJS. */
export const dataOf = (json: string): object =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as object).map(([name, value]) => [inner(name), value as unknown]),
  );

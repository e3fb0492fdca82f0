import { attempt } from '../attempt';

/** The name of a language in that of the user; undefined if it has none, or its code is no BCP 47 code. */
export const languageName = (code: string, language: string): string | undefined =>
  attempt(() => new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(code)) ??
  undefined;

/** The names of languages by code. A code that has none names itself. */
export const languageNames = (codes: readonly string[], language: string): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [code, languageName(code, language) ?? code]));

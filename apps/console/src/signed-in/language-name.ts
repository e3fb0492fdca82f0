/** The names of languages in that of the user, by code. A code that has none names itself. */
export const languageNames = (codes: readonly string[], language: string): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [code, nameOf(code, language)]));

function nameOf(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // no BCP 47 code
  }
}

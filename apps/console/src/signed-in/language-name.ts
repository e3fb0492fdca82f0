/** The name of a language in that of the user; its code if it has none. */
export function languageName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // no BCP 47 code
  }
}

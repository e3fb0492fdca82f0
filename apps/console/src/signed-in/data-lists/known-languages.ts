import { languageName } from '../language-name';

/** Languages that a person may choose: those of ISO 639-1, and variants that are written in their own way. */
const codes =
  'aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cs cu cv cy da de de-at de-ch dv dz ee el ' +
  'en en-gb en-us eo es es-mx et eu fa ff fi fj fo fr fr-ca fr-ch fy ga gd gl gn gu gv ha he hi hr ht hu hy ia id ie ' +
  'ig ii ik io is it iu ja jv ka kg ki kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn ' +
  'mr ms mt my na nb nd ne ng nl nl-be nn no nr nv ny oc oj om or os pa pi pl ps pt pt-br qu rm rn ro ru rw sa sc sd ' +
  'se sg si sk sl sm sn so sq sr sr-latn ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi ' +
  'vo wa wo xh yi yo za zh zh-hans zh-hant zu';

/** The name of a language in English, German and itself. */
export const namesOf = (code: string): (string | undefined)[] =>
  ['en', 'de', code].map((language) => languageName(code, language)?.toLowerCase());

/** `German (de)` in the language of the console. */
export function localeName(locale: string, language: string): string {
  const name = languageName(locale, language);
  return name === undefined ? locale : `${name} (${locale})`;
}

/** Languages with their names, in the order of these. */
export function namedLocales(locales: readonly string[], language: string): [locale: string, name: string][] {
  const { compare } = new Intl.Collator(language);
  return locales
    .map((locale): [string, string] => [locale, localeName(locale, language)])
    .sort(([, one], [, other]) => compare(one, other));
}

/** What is offered, by name. */
export const offeredLanguages = (language: string): string[] =>
  namedLocales(codes.split(' '), language).flatMap(([, name]) => (name.includes('(') ? [name] : []));

/** Returns whether a code begins with that of a language: a word of more letters is the name of one. */
export const isLanguage = (code: string): boolean => /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(code);

/** The code of what a person wrote: a code, a name, or both as they are offered; null: no language. */
export function codeOf(written: string): string | null {
  const text = written.trim().toLowerCase().replaceAll('_', '-');
  const code =
    /\(([a-z0-9-]+)\)$/.exec(text)?.[1] ??
    codes.split(' ').find((own) => namesOf(own).includes(text)) ??
    text;
  return isLanguage(code) ? code : null;
}

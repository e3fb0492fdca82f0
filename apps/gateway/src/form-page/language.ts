import { ownLanguages } from './texts';

/** A text of a SurveyJS definition: plain, or by locale. */
type LocalText = string | Readonly<Record<string, unknown>>;

const locale = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/**
 * The language of the page: the asked one, else the first of the browser that the form has, else that of the
 * form.
 *
 * @param asked by `?lang=`
 * @param accepted `Accept-Language`
 */
export function languageOf(definition: object, asked: string | null, accepted: string | undefined): string {
  const used = new Set<string>();
  collect(definition, used);
  const { locale: own } = definition as { locale?: unknown };
  const fallback = typeof own === 'string' && locale.test(own) ? own : 'en';
  const among = (known: readonly string[], wanted: string): string | undefined => {
    const find = (name: string) => known.find((each) => each.toLowerCase() === name.toLowerCase());
    return find(wanted) ?? find(wanted.split('-')[0]!);
  };
  const ofForm = [...used, fallback, ...(used.size > 0 ? ['en'] : [])];
  const named = asked === null ? undefined : among([...ofForm, ...ownLanguages], asked);
  if (named !== undefined) return named;
  for (const wanted of inOrder(accepted ?? '')) {
    const found = among(ofForm, wanted);
    if (found !== undefined) return found;
  }
  return fallback;
}

/** The languages of a browser, the preferred one first (RFC 9110, section 12.5.4). */
export function inOrder(accepted: string): string[] {
  return accepted
    .split(',')
    .slice(0, 30)
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return { name, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ name, quality }) => locale.test(name) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => name);
}

/** Adds the locales of all texts in a definition. */
function collect(value: unknown, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const members = Object.entries(value);
  const isText =
    !Array.isArray(value) &&
    members.length > 0 &&
    members.every(([name, text]) => typeof text === 'string' && (name === 'default' || locale.test(name)));
  // `{ "name": … }` and the like are no texts: a text by locale has a default or a language of two letters.
  if (isText && members.some(([name]) => name === 'default' || /^[a-z]{2}(-|$)/i.test(name))) {
    for (const [name] of members) if (name !== 'default') used.add(name);
    return;
  }
  for (const [, member] of members) collect(member, used);
}

/** A text of a definition in a language; undefined without one. */
export function textOf(value: unknown, language: string): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const texts = value as Exclude<LocalText, string>;
  const found = [language, language.split('-')[0]!, 'default', 'en']
    .filter((name) => Object.hasOwn(texts, name))
    .map((name) => texts[name])
    .find((text) => typeof text === 'string' && text !== '');
  return found as string | undefined;
}

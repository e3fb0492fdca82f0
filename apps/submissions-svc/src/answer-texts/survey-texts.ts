import { isNode } from './definition';
import { wordsOf, type Word } from './survey-words';

/** The keys of texts that SurveyJS reads for a locale, in its order: `de-at`, `de`, then the default. */
function keysOf(locale: string): string[] {
  const key = locale.toLowerCase();
  // What SurveyJS calls the default language.
  if (key === '' || key === 'default' || key === 'en') return ['default', 'en'];
  const language = key.split('-')[0]!;
  return key === language ? [key, 'default'] : [key, language, 'default'];
}

/** A text of a definition, or texts by locale, in a locale. Null if it has none there, or a blank one. */
export function textIn(text: unknown, locale: string): string | null {
  const texts = isNode(text) ? text : { default: text };
  const byKey = new Map(Object.entries(texts).map(([key, value]) => [key.toLowerCase(), value]));
  const found = keysOf(locale)
    .map((key) => byKey.get(key))
    .find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return found ?? null;
}

/** The text of a definition for an item that SurveyJS adds; its own word if the form has none. */
export const textOrWord = (text: unknown, word: Word, locale: string): string =>
  textIn(text, locale) ?? wordsOf(keysOf(locale))[word];

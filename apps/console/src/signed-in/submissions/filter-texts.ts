import { useTextsOf } from '../../i18n';
import type { Asked } from './asked';
import { readFilter } from './filter-text';

const en = {
  yes: 'Yes',
  no: 'No',
  value: 'Value',
  findValue: 'Search in the list',
  from: 'From',
  to: 'To',
  contains: 'Contains',
  on: 'Day',
  unanswered: 'Not answered',
  expert: 'Write a filter',
  expertHint: 'As in the API, such as answers.city:Graz',
  noFilter: (text: string) => `“${text}” is not a filter. Search by question:`,
  or: ' or ',
  is: (title: string, value: string) => `${title} is ${value}`,
  isNot: (title: string, value: string) => `${title} is not ${value}`,
  has: (title: string, value: string) => `${title} contains ${value}`,
  compares: (title: string, sign: string, value: string) => `${title} ${sign} ${value}`,
  isUnanswered: (title: string) => `${title} is not answered`,
  isAnswered: (title: string) => `${title} is answered`,
};

const de: typeof en = {
  yes: 'Ja',
  no: 'Nein',
  value: 'Wert',
  findValue: 'In der Liste suchen',
  from: 'Von',
  to: 'Bis',
  contains: 'Enthält',
  on: 'Tag',
  unanswered: 'Nicht beantwortet',
  expert: 'Filter schreiben',
  expertHint: 'Wie in der API, zum Beispiel answers.city:Graz',
  noFilter: (text) => `„${text}“ ist kein Filter. Nach Frage suchen:`,
  or: ' oder ',
  is: (title, value) => `${title} ist ${value}`,
  isNot: (title, value) => `${title} ist nicht ${value}`,
  has: (title, value) => `${title} enthält ${value}`,
  compares: (title, sign, value) => `${title} ${sign} ${value}`,
  isUnanswered: (title) => `${title} ist nicht beantwortet`,
  isAnswered: (title) => `${title} ist beantwortet`,
};

/** The texts of the filters of submissions. */
export const useFilterTexts = (): typeof en => useTextsOf({ en, de });
export type FilterTexts = typeof en;

const signs: Record<string, string> = { '>:': '≥', '<:': '≤', '>': '>', '<': '<' };

/** A filter in words, as far as it is by something that one can pick. */
export function wordsOf(text: string, all: readonly Asked[], texts: FilterTexts): string {
  const filter = readFilter(text);
  const asked = all.find(({ field }) => field === filter?.field);
  if (filter === null || asked === undefined) return text;
  const { operator, values } = filter;
  const { title } = asked;
  if (values.every((value) => value === null)) {
    return operator === '!:' ? texts.isAnswered(title) : texts.isUnanswered(title);
  }
  const labels = new Map(asked.choices);
  const value = values
    .map((own) => (own === null ? texts.unanswered.toLowerCase() : (labels.get(own) ?? own)))
    .join(texts.or);
  if (operator === ':') return texts.is(title, value);
  if (operator === '!:') return texts.isNot(title, value);
  if (operator === '~:') return texts.has(title, value);
  return texts.compares(title, signs[operator]!, value);
}

import { isObject, stringOf, textIn, type Members } from '../../json-object';
import { elementsOf } from './answers';

/** A question that one can filter by. */
export interface Asked {
  /** The field of filters: `answers.<path>`. */
  field: string;
  title: string;
  kind: 'choices' | 'list' | 'numbers' | 'dates' | 'texts' | 'profile';
  /** Values with their labels. */
  choices: [value: string, label: string][];
  /** The data list with the choices; empty: none. */
  list: string;
}

const itemsOf = (list: unknown, language: string): [string, string][] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const { value, text } = isObject(item) ? item : { value: item, text: undefined };
    if (!['string', 'number', 'boolean'].includes(typeof value)) return [];
    // SurveyJS takes `value|text`, too.
    const [first, ...rest] = String(value).split('|');
    return [[first!, textIn(text, language) || rest.join('|') || first!] as [string, string]];
  });

const choiceTypes = new Set([
  'dropdown',
  'radiogroup',
  'buttongroup',
  'checkbox',
  'tagbox',
  'ranking',
  'imagepicker',
]);
/** Types without an answer, or with one that is no single value. */
const noFilter = new Set([
  'panel',
  'html',
  'image',
  'file',
  'signaturepad',
  'matrixdropdown',
  'matrixdynamic',
  'paneldynamic',
]);

/** Items that SurveyJS adds to choices, by the option that shows them. */
const added = { showOtherItem: 'other', showNoneItem: 'none', hasOther: 'other', hasNone: 'none' };

/** Steps of a rating. */
const maxRates = 100;

function ratesOf(question: Members, language: string): [string, string][] {
  const own = itemsOf(question['rateValues'], language);
  if (own.length > 0) return own;
  const number = (name: string, absent: number) =>
    typeof question[name] === 'number' ? question[name] : absent;
  const [first, step] = [number('rateMin', 1), number('rateStep', 1)];
  const last = number('rateMax', first + (number('rateCount', 5) - 1) * step);
  const count = step > 0 ? Math.min(maxRates, Math.floor((last - first) / step) + 1) : 0;
  return Array.from({ length: Math.max(0, count) }, (_, n) => String(first + n * step)).map((rate) => [
    rate,
    rate,
  ]);
}

/** The questions of a definition (SurveyJS) that filters can name, in its order. */
export function askedOf(definition: unknown, language: string, words: { yes: string; no: string }): Asked[] {
  const found = new Map<string, Asked>();
  for (const asked of elementsOf(definition)
    .filter(({ type }) => !noFilter.has(type))
    .flatMap((element) => askedBy(element, language, words)))
    if (!/[:<>]/.test(asked.field) && !found.has(asked.field)) found.set(asked.field, asked);
  return [...found.values()];
}

function askedBy(question: Members, language: string, { yes, no }: { yes: string; no: string }): Asked[] {
  const { type, name, valueName, dataList, inputType } = question;
  const path = stringOf(valueName) || stringOf(name);
  if (path === '') return [];
  const title = textIn(question['title'], language) || stringOf(name);
  const asked: Asked = { field: `answers.${path}`, title, kind: 'texts', choices: [], list: '' };
  const inRows = (rows: [string, string][], changes: Partial<Asked>) =>
    rows
      .filter(([row]) => row !== '' && !row.includes('.'))
      .map(([row, label]) => ({
        ...asked,
        ...changes,
        field: `answers.${path}.${row}`,
        title: `${title} – ${label}`,
      }));
  switch (type) {
    case 'boolean': {
      const { valueTrue = true, valueFalse = false, labelTrue, labelFalse } = question;
      const choices: Asked['choices'] = [
        [String(valueTrue), textIn(labelTrue, language) || yes],
        [String(valueFalse), textIn(labelFalse, language) || no],
      ];
      return [{ ...asked, kind: 'choices', choices }];
    }
    case 'rating':
      return [{ ...asked, kind: 'choices', choices: ratesOf(question, language) }];
    case 'matrix':
      return inRows(itemsOf(question['rows'], language), {
        kind: 'choices',
        choices: itemsOf(question['columns'], language),
      });
    case 'multipletext': {
      const items = (Array.isArray(question['items']) ? (question['items'] as unknown[]) : []).filter(
        isObject,
      );
      return inRows(
        items.map((item) => [
          stringOf(item['name']),
          textIn(item['title'], language) || stringOf(item['name']),
        ]),
        {},
      );
    }
  }
  if (choiceTypes.has(stringOf(type))) {
    const list = typeof dataList === 'number' ? String(dataList) : stringOf(dataList);
    const more = Object.entries(added)
      .filter(([option]) => question[option] === true)
      .map(([, value]) => [value, textIn(question[`${value}Text`], language) || value] as [string, string]);
    const choices = [...itemsOf(question['choices'], language), ...more];
    return [{ ...asked, kind: list === '' ? 'choices' : 'list', choices, list }];
  }
  const isNumber =
    ['number', 'range'].includes(stringOf(inputType)) || ['expression', 'slider'].includes(stringOf(type));
  const isDate = stringOf(inputType).startsWith('date');
  return [{ ...asked, kind: isNumber ? 'numbers' : isDate ? 'dates' : 'texts' }];
}

/** A stored field of the profiles of respondents. */
export const profileAsked = (name: string): Asked => ({
  field: `submitterProfile.${name}`,
  title: name,
  kind: 'profile',
  choices: [],
  list: '',
});

/** A question, or one of its choices, that a text may mean. */
export interface Likely {
  asked: Asked;
  /** Null: the question itself. */
  choice: [value: string, label: string] | null;
}

/** Likely ones that are offered. */
const maxLikely = 8;

/** The questions and choices that have the words of a text. */
export function likelyFor(all: readonly Asked[], text: string): Likely[] {
  const words = text
    .toLowerCase()
    .split(/[\s:<>|]+/)
    .filter(Boolean);
  const has = (...texts: string[]) =>
    words.some((word) => texts.some((own) => own.toLowerCase().includes(word)));
  const choices = all.flatMap((asked) =>
    asked.choices.filter((choice) => has(...choice)).map((choice) => ({ asked, choice })),
  );
  const questions = all
    .filter(({ title, field }) => has(title, field))
    .map((asked) => ({ asked, choice: null }));
  return [...choices, ...questions].slice(0, maxLikely);
}

/** Returns whether a text is a filter for the API, and not one that begins with the name of a question. */
export function isFilter(text: string, all: readonly Asked[]): boolean {
  const [, name] = /^([A-Za-z]+(?:\.[^:<>]+?)?)(?:[!~]:|>:|<:|:|>|<)/.exec(text) ?? [];
  return name !== undefined && !all.some(({ field }) => field === `answers.${name}`);
}

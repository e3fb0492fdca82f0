import { cellsIn, isOn, itemsOf, memberOf, questionsOf, textOf, type Node } from './definition';
import { textIn, textOrWord } from './survey-texts';

/** How the answer of a question is shown. */
export interface AnswerKind {
  /** Texts of choices by their value; empty if values are shown. */
  labels: ReadonlyMap<string, string>;
  /** All values of choices in their order, those without a text included; empty if there are none. */
  values: readonly string[];
  /** Returns whether the text of the choice `other` is the comment beside it. */
  hasOther: boolean;
  isFile: boolean;
  /** The member of an object that is the choice; empty if choices are values. */
  choiceMember: string;
  /** Id of the data list whose values are the choices; empty without one, or if values are shown. */
  list: string;
  /** The answer whose rows are the choices. */
  carried: { member: string; value: string; text: string } | null;
  /** Kinds of the members of a row of a table, a panel or texts. */
  members: ReadonlyMap<string, AnswerKind>;
  /** The kind of each row of a table with fixed rows. */
  row: AnswerKind | null;
}

export const plainKind: AnswerKind = {
  labels: new Map(),
  values: [],
  hasOther: false,
  isFile: false,
  choiceMember: '',
  list: '',
  carried: null,
  members: new Map(),
  row: null,
};

/** What kinds are read from. */
export interface FormTexts {
  /** The questions of the form by name, those within tables and panels included. */
  questions: ReadonlyMap<string, Node>;
  /** The locale of labels; null for values. */
  locale: string | null;
}

/** @param locale of the labels; empty for the default one, null for values instead of labels */
export const formTexts = (definition: unknown, locale: string | null): FormTexts => {
  const all = withCells(questionsOf(definition));
  // The first of equal names is the outer one.
  return {
    questions: new Map(all.map((question) => [textOf(question['name']), question] as const).reverse()),
    locale,
  };
};

const withCells = (questions: Node[]): Node[] =>
  questions.length === 0 ? [] : [...questions, ...withCells(questions.flatMap(cellsIn))];

export function kindOf(question: Node, form: FormTexts): AnswerKind {
  const { type, columns } = question;
  switch (type) {
    case 'file':
    case 'signaturepad':
      return { ...plainKind, isFile: true };
    case 'matrix':
      return { ...plainKind, row: { ...plainKind, ...choicesOf(itemsOf(columns), form) } };
    case 'matrixdropdown':
      return { ...plainKind, row: { ...plainKind, members: kindsIn(question, form) } };
    case 'matrixdynamic':
    case 'paneldynamic':
    case 'multipletext':
      return { ...plainKind, members: kindsIn(question, form) };
    case 'boolean':
      return { ...plainKind, ...choicesOfBoolean(question, form) };
    case 'rating':
      return { ...plainKind, ...choicesOf(itemsOf(question['rateValues']), form) };
    case 'imagemap':
      return { ...choiceMember(question, form), ...choicesOf(itemsOf(question['areas']), form) };
    default:
      return choices.has(type) ? choiceKind(question, form) : plainKind;
  }
}

const choices = new Set<unknown>([
  'dropdown',
  'radiogroup',
  'buttongroup',
  'checkbox',
  'tagbox',
  'ranking',
  'imagepicker',
]);

const kindsIn = (question: Node, form: FormTexts): ReadonlyMap<string, AnswerKind> =>
  new Map(cellsIn(question).map((cell) => [memberOf(cell), kindOf(cell, form)]));

const choiceMember = ({ valuePropertyName }: Node, { locale }: FormTexts) => ({
  ...plainKind,
  choiceMember: locale === null ? '' : textOf(valuePropertyName),
});

/** Questions that hand choices on to one another; a circle ends here too. */
const mostCarriers = 20;

function choiceKind(question: Node, form: FormTexts, carriers = 0): AnswerKind {
  const { locale, questions } = form;
  const source = questions.get(textOf(question['choicesFromQuestion']));
  const known = source && carriers < mostCarriers ? carriedKind(question, source, form, carriers + 1) : null;
  const own = source === undefined ? itemsOf(question['choices']) : [];
  const hasOther = isOn(question, 'showOtherItem', 'hasOther');
  const special = specialItems.filter(({ options }) => isOn(question, ...options));
  const values = [...(known?.values ?? []), ...[...own, ...special].map(({ value }) => value)];
  if (locale === null) return { ...plainKind, values };
  return {
    ...choiceMember(question, form),
    values,
    labels: new Map([
      ...(known?.labels ?? []),
      ...labelsOf(own, form),
      ...special.map(({ value, text }) => [value, textOrWord(question[text], value, locale)] as const),
    ]),
    hasOther: hasOther || known?.hasOther === true,
    list: source === undefined ? listOf(question) : (known?.list ?? ''),
    carried: known?.carried ?? null,
  };
}

/** The data list of a question; `docs/form-runtime.md` describes the member. */
const listOf = ({ dataList }: Node): string =>
  typeof dataList === 'number' ? String(dataList) : textOf(dataList).trim();

/** Choices are those of another question, or the rows of a table or panel. */
function carriedKind(question: Node, source: Node, form: FormTexts, carriers: number): AnswerKind {
  if (choices.has(source['type'])) return choiceKind(source, form, carriers);
  const [first] = cellsIn(source).map(memberOf);
  const value = textOf(question['choiceValuesFromQuestion']) || first || '';
  const text = textOf(question['choiceTextsFromQuestion']) || value;
  return { ...plainKind, carried: { member: memberOf(source), value, text } };
}

const specialItems = [
  { value: 'none', options: ['showNoneItem', 'hasNone'], text: 'noneText' },
  { value: 'refused', options: ['showRefuseItem'], text: 'refuseText' },
  { value: 'dontknow', options: ['showDontKnowItem'], text: 'dontKnowText' },
  { value: 'other', options: ['showOtherItem', 'hasOther'], text: 'otherText' },
] as const;

function choicesOfBoolean(question: Node, { locale }: FormTexts): Choices {
  const { valueTrue = true, valueFalse = false, labelTrue, labelFalse } = question;
  const values = [String(valueFalse), String(valueTrue)] as const;
  if (locale === null) return { labels: new Map(), values };
  return {
    values,
    labels: new Map([
      [values[0], textOrWord(labelFalse, 'no', locale)],
      [values[1], textOrWord(labelTrue, 'yes', locale)],
    ]),
  };
}

type Choices = Pick<AnswerKind, 'labels' | 'values'>;
type Items = readonly { value: string; text: unknown }[];

const choicesOf = (items: Items, form: FormTexts): Choices => ({
  labels: labelsOf(items, form),
  values: items.map(({ value }) => value),
});

/** Items without a text, or with a blank one, have none. */
const labelsOf = (items: Items, { locale }: FormTexts): Map<string, string> =>
  new Map(
    items.flatMap(({ value, text }) => {
      const label = locale === null ? null : textIn(text, locale);
      return label === null ? [] : [[value, label]];
    }),
  );

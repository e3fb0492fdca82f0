import {
  formTexts,
  isOn,
  itemsOf,
  kindOf,
  memberOf,
  questionsOf,
  textIn,
  textOf,
  type FormTexts,
  type Node,
} from '../answer-texts';

/** How the answers of a question are counted. */
export type SummaryKind = 'choices' | 'numbers' | 'dates' | 'texts' | 'answers';

/** A question of a form, or a row of a table, whose answers are counted. */
export interface AskedQuestion {
  /** The member of `jsonData`. */
  member: string;
  title: string;
  type: string;
  kind: SummaryKind;
  /** The row of a table, or the item of a question of several texts; null: the question itself. */
  row: { value: string; title: string } | null;
  /** The path of `answers.<path>` in filters; null: no filter reads this answer. */
  path: string | null;
  /** Labels by value of the choices that the form has now, in its order. */
  choices: ReadonlyMap<string, string>;
  /** Id of the data list with the choices; empty: none. */
  list: string;
  /** Whether the order of the values of an answer counts. */
  isRanked: boolean;
  /** Whether it is a rating, which has a mean. */
  isRating: boolean;
  /** Whether the text beside the choice is asked for. */
  hasOther: boolean;
}

/** Questions and rows of a summary. */
const maxAsked = 200;

/** The questions of a definition (SurveyJS) in its order: the first 200, and how many more there are. */
export function askedQuestions(
  definition: unknown,
  locale: string,
): { asked: AskedQuestion[]; leftOut: number } {
  const form = formTexts(definition, locale);
  const members = new Set<string>();
  const all = questionsOf(definition)
    .filter((question) => !members.has(memberOf(question)) && members.add(memberOf(question)))
    .flatMap((question) => asksOf(question, form));
  return { asked: all.slice(0, maxAsked), leftOut: Math.max(0, all.length - maxAsked) };
}

function asksOf(question: Node, form: FormTexts): AskedQuestion[] {
  const locale = form.locale ?? '';
  const member = memberOf(question);
  const type = textOf(question['type']);
  const { labels, list, row, choiceMember } = kindOf(question, form);
  const values = type === 'rating' ? rates(question) : choiceValues(question, form);
  const choices = new Map([...values, ...labels.keys()].map((value) => [value, labels.get(value) ?? value]));
  const kind = choiceMember === '' ? summaryKind(question) : 'answers';
  const asked: AskedQuestion = {
    member,
    title: textIn(question['title'], locale) ?? textOf(question['name']),
    type,
    kind,
    row: null,
    path: kind !== 'answers' || ofLists.has(type) ? pathOf(member) : null,
    choices,
    list,
    isRanked: type === 'ranking',
    isRating: type === 'rating',
    hasOther: isOn(question, 'showOtherItem', 'hasOther'),
  };
  const rowsOf = (items: { value: string; title: string | null }[], changes: Partial<AskedQuestion>) =>
    items
      .filter(({ value }) => value !== '')
      .map(({ value, title }) => ({
        ...asked,
        ...changes,
        row: { value, title: title ?? value },
        path: value.includes('.') || member.includes('.') ? null : pathOf(`${member}.${value}`),
      }));
  if (type === 'matrix') {
    const columns = itemsOf(question['columns']).map(({ value }) => value);
    const labelled = new Map(columns.map((value) => [value, row?.labels.get(value) ?? value]));
    const items = itemsOf(question['rows']).map(({ value, text }) => ({
      value,
      title: textIn(text, locale),
    }));
    return rowsOf(items, { kind: 'choices', choices: labelled });
  }
  if (type === 'multipletext') {
    const items = itemNodes(question).map((item) => ({
      value: textOf(item['name']),
      title: textIn(item['title'], locale),
    }));
    return rowsOf(items, { kind: 'texts' });
  }
  return [asked];
}

const itemNodes = ({ items }: Node): Node[] =>
  (Array.isArray(items) ? (items as Node[]) : []).filter(Boolean);

const inputKinds: Record<string, SummaryKind> = {
  number: 'numbers',
  range: 'numbers',
  date: 'dates',
  datetime: 'dates',
  'datetime-local': 'dates',
};

const kinds: Record<string, SummaryKind> = {
  comment: 'texts',
  expression: 'numbers',
  slider: 'numbers',
  dropdown: 'choices',
  radiogroup: 'choices',
  buttongroup: 'choices',
  checkbox: 'choices',
  tagbox: 'choices',
  ranking: 'choices',
  imagepicker: 'choices',
  boolean: 'choices',
  rating: 'choices',
};

/** Types whose answers are lists or texts, which filters can miss. */
const ofLists = new Set(['file', 'signaturepad', 'matrixdynamic', 'paneldynamic']);

function summaryKind({ type, inputType }: Node): SummaryKind {
  if (type === 'text') return inputKinds[textOf(inputType)] ?? 'texts';
  return (Object.hasOwn(kinds, textOf(type)) && kinds[textOf(type)]) || 'answers';
}

/** Names with an operator end the path of a filter. */
const pathOf = (path: string): string | null => (/[:<>\u0000]/.test(path) || path.length > 300 ? null : path);

/** Values of the choices, or of those of the question that hands them on. */
function choiceValues(question: Node, { questions }: FormTexts): string[] {
  let source = question;
  // A circle ends, too.
  for (let handed = 0; handed < 20; handed++) {
    const next = questions.get(textOf(source['choicesFromQuestion']));
    if (next === undefined) break;
    source = next;
  }
  return itemsOf(source['choices']).map(({ value }) => value);
}

/** Steps of a rating: they are bars. */
const maxRates = 100;

function rates(question: Node): string[] {
  const own = itemsOf(question['rateValues']).map(({ value }) => value);
  if (own.length > 0) return own;
  const number = (name: string, absent: number) =>
    typeof question[name] === 'number' ? question[name] : absent;
  const [first, step] = [number('rateMin', 1), number('rateStep', 1)];
  const last = number('rateMax', first + (number('rateCount', 5) - 1) * step);
  const count = step > 0 ? Math.min(maxRates, Math.floor((last - first) / step) + 1) : 0;
  return Array.from({ length: Math.max(0, count) }, (_, n) => String(first + n * step));
}

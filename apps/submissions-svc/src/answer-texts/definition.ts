/** An object of a definition (SurveyJS). */
export type Node = Record<string, unknown>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nodesOf = (list: unknown): Node[] => (Array.isArray(list) ? list.filter(isNode) : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const withoutAnswer = new Set(['panel', 'flowpanel', 'html', 'image']);

/** The elements that have an answer. Those within a question belong to it, but for those of a choice. */
export function questionsOf(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(questionsOf);
  if (!isNode(node)) return [];
  const { name, type, pages, elements, questions, choices } = node;
  const isQuestion = textOf(name) !== '' && typeof type === 'string' && !withoutAnswer.has(type);
  return [...(isQuestion ? [node] : []), ...[pages, elements, questions, choices].flatMap(questionsOf)];
}

/** The member where the answer is stored. */
export const memberOf = ({ name, valueName }: Node): string => textOf(valueName) || textOf(name);

/** Choices, rows and columns: a value, or a value with its text, also as `value|text`. */
export const itemsOf = (list: unknown): { value: string; text: unknown }[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const { value, text } = isNode(item) ? item : { value: item, text: undefined };
    if (!isPlain(value)) return [];
    const [first, ...rest] = String(value).split('|');
    return [{ value: first!, text: text ?? (rest.join('|') || undefined) }];
  });

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Returns whether one of the options of a question is switched on. */
export const isOn = (question: Node, ...names: string[]): boolean =>
  names.some((name) => question[name] === true);

/** Columns of a table, elements of a panel or items of texts, as elements; none of another question. */
export function cellsIn(question: Node): Node[] {
  const { type, columns, detailElements, templateElements, items } = question;
  if (type === 'paneldynamic') return questionsOf(templateElements);
  if (type === 'multipletext')
    return nodesOf(items).map(({ name, title }) => ({ name, title, type: 'text' }));
  if (type !== 'matrixdropdown' && type !== 'matrixdynamic') return [];
  return [...nodesOf(columns).map((column) => cellOf(column, question)), ...questionsOf(detailElements)];
}

/** Types of cells that have the choices of their table. */
const ofTable = new Set(['dropdown', 'checkbox', 'radiogroup', 'tagbox']);

function cellOf(column: Node, table: Node): Node {
  const [type] = [column['cellType'], table['cellType'], 'dropdown'].filter(
    (cellType) => typeof cellType === 'string' && cellType !== '' && cellType !== 'default',
  ) as string[];
  const hasOwn = itemsOf(column['choices']).length > 0 || !ofTable.has(type!);
  return { ...column, type, choices: hasOwn ? column['choices'] : table['choices'] };
}

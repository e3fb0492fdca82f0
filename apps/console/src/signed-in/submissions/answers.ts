import { isObject, textIn, type Members } from '../../json-object';

/** A question of a form, by the name of its answer. */
export interface Question {
  name: string;
  title: string;
}

/** Elements without an answer of their own. */
const noQuestions = ['panel', 'html', 'image', 'expression'];

/** The elements of a definition that have a type, in its order, without those within a question. */
export function elementsOf(node: unknown): (Members & { type: string })[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!isObject(node)) return [];
  const { type, pages, elements, questions } = node;
  const own = typeof type === 'string' ? [{ ...node, type }] : [];
  return [...own, ...[pages, elements, questions].flatMap(elementsOf)];
}

/** The questions of a definition, in its order, each name once. Those within a question are not questions. */
export function questionsOf(definition: unknown, language: string): Question[] {
  const found = new Map<string, string>();
  for (const { name, title, type } of elementsOf(definition))
    if (typeof name === 'string' && !noQuestions.includes(type) && !found.has(name))
      found.set(name, textIn(title, language) || name);
  return [...found].map(([name, title]) => ({ name, title }));
}

/** A file that was given as an answer. */
export interface AnswerFile {
  name: string;
  type: string;
  bytes: number;
  /** The content as a data URL; null if it is stored elsewhere. */
  url: string | null;
}

const dataUrl = /^data:([^;,]*)[^,]*;base64,(.*)$/s;

/** The files of an answer, as SurveyJS stores files and signatures. */
export function filesOf(jsonData: string, question: string): AnswerFile[] {
  const answers = JSON.parse(jsonData) as Record<string, unknown>;
  return [answers[question]].flat().flatMap((file) => {
    const { name, type, content } = isObject(file) ? file : ({ content: file } as Members);
    if (typeof content !== 'string') return [];
    const [, mediaType = '', base64 = ''] = dataUrl.exec(content) ?? [];
    const kind = typeof type === 'string' && type !== '' ? type : mediaType;
    return [
      {
        name: typeof name === 'string' && name !== '' ? name : `${question}.${kind.split('/')[1] ?? 'bin'}`,
        type: kind,
        bytes: Math.floor((base64.length * 3) / 4) - (/=*$/.exec(base64)?.[0].length ?? 0),
        url: dataUrl.test(content) ? content : null,
      },
    ];
  });
}

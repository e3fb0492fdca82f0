import { isObject, textIn, type Members } from '../../json-object';

/** A question of a form, by the name of its answer. */
export interface Question {
  name: string;
  title: string;
}

/** Elements without an answer of their own. */
const noQuestions = ['panel', 'html', 'image', 'expression'];

/** The questions of a definition, in its order, each name once. Those within a question are not questions. */
export function questionsOf(definition: unknown, language: string): Question[] {
  const found = new Map<string, string>();
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) collect(child);
    if (!isObject(node)) return;
    const { name, title, type, pages, elements, questions } = node;
    if (typeof name === 'string' && typeof type === 'string' && !noQuestions.includes(type)) {
      if (!found.has(name)) found.set(name, textIn(title, language) || name);
    }
    for (const children of [pages, elements, questions]) collect(children);
  };
  collect(definition);
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

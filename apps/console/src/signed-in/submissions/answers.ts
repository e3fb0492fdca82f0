import { digitsOf, readJson, writeJson } from '@canvass/json-numbers';

/** An answer with the question it was given to. */
export interface GivenAnswer {
  name: string;
  /** The title of the question; its name if the form has no such question now. */
  title: string;
  text: string;
}

/**
 * The answers of a submission in the order of its JSON text, with titles of the definition (SurveyJS).
 *
 * @returns null if the text is no JSON object, or one that is nested too deep to be shown by question
 */
export function answersOf(jsonData: string, definition: unknown, language: string): GivenAnswer[] | null {
  const data = parsed(jsonData);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const titles = new Map<string, string>();
  collectTitles(definition, language, titles);
  try {
    return Object.entries(data).map(([name, value]) => ({
      name,
      title: titles.get(name) ?? name,
      text: textOf(value),
    }));
  } catch {
    return null; // JSON.stringify is recursive.
  }
}

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
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { name, title, type, pages, elements, questions } = node as Record<string, unknown>;
    if (typeof name === 'string' && typeof type === 'string' && !noQuestions.includes(type)) {
      if (!found.has(name)) found.set(name, titleOf(title, language) ?? name);
    }
    for (const children of [pages, elements, questions]) collect(children);
  };
  collect(definition);
  return [...found].map(([name, title]) => ({ name, title }));
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

/** Questions are elements of pages and panels, at any depth. */
function collectTitles(node: unknown, language: string, titles: Map<string, string>): void {
  if (Array.isArray(node)) for (const child of node) collectTitles(child, language, titles);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { name, title, pages, elements, questions, templateElements } = node as Record<string, unknown>;
  const text = titleOf(title, language);
  if (typeof name === 'string' && text !== null && !titles.has(name)) titles.set(name, text);
  for (const children of [pages, elements, questions, templateElements]) {
    collectTitles(children, language, titles);
  }
}

/** A title is a text, or texts by language. */
function titleOf(title: unknown, language: string): string | null {
  if (typeof title === 'string') return title;
  if (typeof title !== 'object' || title === null) return null;
  const texts = title as Record<string, unknown>;
  const text = texts[language] ?? texts['default'] ?? Object.values(texts)[0];
  return typeof text === 'string' ? text : null;
}

/** An answer as text: choices in one line, each row of a matrix in its line, other nested answers as JSON. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return digitsOf(value) ?? String(value);
  const entries = Object.entries(value);
  const isFlat = entries.every(([, item]) => typeof item !== 'object' || item === null);
  const texts = entries.map(([name, item]) => [name, item === null ? '' : textOf(item)] as const);
  if (Array.isArray(value) && isFlat) return texts.map(([, text]) => text).join(', ');
  if (isFlat && entries.length > 0) return texts.map((pair) => pair.join(': ')).join('\n');
  return writeJson(value, undefined, 1);
}

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
 * @returns null if the text is no JSON object
 */
export function answersOf(jsonData: string, definition: unknown, language: string): GivenAnswer[] | null {
  const data = parsed(jsonData);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const titles = new Map<string, string>();
  collectTitles(definition, language, titles);
  return Object.entries(data).map(([name, value]) => ({
    name,
    title: titles.get(name) ?? name,
    text: textOf(value),
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
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

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  return isList ? value.join(', ') : JSON.stringify(value, null, 1);
}

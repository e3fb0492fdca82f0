import { textOf } from './language';

/** Most questions and choices that are drawn before the form runtime has arrived. */
const max = 30;

interface Element {
  type?: unknown;
  name?: unknown;
  title?: unknown;
  description?: unknown;
  isRequired?: unknown;
  visible?: unknown;
  visibleIf?: unknown;
  elements?: unknown;
  choices?: unknown;
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The questions of the first page as HTML that can be read, until the form runtime replaces it. */
export function firstPageHtml(definition: object, language: string): string {
  const { pages } = definition as { pages?: unknown };
  const [first] = Array.isArray(pages) ? (pages as Element[]) : [definition];
  const html = (value: unknown) => escaped(textOf(value, language) ?? '');
  const title = html((first as Element | undefined)?.title);
  const heading = first === definition || title === '' ? '' : `<h2>${title}</h2>`;
  return heading + visibleIn(first).slice(0, max).map(questionHtml).join('');

  function questionHtml({ name, title: own, description, isRequired, choices }: Element): string {
    const marked = isRequired === true ? ' <span aria-hidden="true">*</span>' : '';
    const more = html(description);
    const items = (Array.isArray(choices) ? choices : []).slice(0, max).map((choice: unknown) => {
      const { value, text } = (
        typeof choice === 'object' && choice !== null ? choice : { value: choice }
      ) as {
        value?: unknown;
        text?: unknown;
      };
      return `<li>${html(text) || escaped(plain(value))}</li>`;
    });
    return `<section><h3>${html(own) || escaped(plain(name))}${marked}</h3>${more && `<p>${more}</p>`}${
      items.length > 0 ? `<ul>${items.join('')}</ul>` : ''
    }</section>`;
  }
}

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : '';

/** The questions that a respondent sees at first, also those of panels. */
function visibleIn(container: unknown): Element[] {
  const { elements } = (container ?? {}) as Element;
  if (!Array.isArray(elements)) return [];
  return (elements as (Element | null)[]).flatMap((element) => {
    if (typeof element !== 'object' || element === null) return [];
    if (element.visible === false || element.visibleIf !== undefined) return [];
    if (element.type === 'panel') return visibleIn(element);
    return element.type === 'html' || element.type === 'expression' ? [] : [element];
  });
}

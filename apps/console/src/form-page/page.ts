import type { components } from '@canvass/client';

export type HostedPage = components['schemas']['HostedPage'];

/** What the gateway wrote into the page. */
export interface PageData {
  formId: string;
  language: string;
  definition: Record<string, unknown>;
  /** Returns whether the form takes new answers. If not, those who have begun may still finish. */
  isOpen: boolean;
  /** Returns whether the person has an unfinished submission. */
  hasOpen: boolean;
  page: HostedPage | null;
  /** The texts of the page in its language. */
  texts: Readonly<Record<string, string>>;
}

/** What the gateway wrote into a page that only asks for a sign-in. */
export interface SignInData {
  asksForSignIn: true;
  texts: PageData['texts'];
}

/** The data of the page; null where there is only a message. */
export const pageData = (): PageData | SignInData | null =>
  JSON.parse(document.getElementById('data')!.textContent) as PageData | SignInData | null;

/** Shows a message above the form; an empty one hides it. */
export function say(text: string): void {
  const status = document.getElementById('status')!;
  if (status.textContent !== text) status.textContent = text;
}

/** Shows times in the zone of the person. */
export function localizeTimes(): void {
  const language = document.documentElement.lang;
  // `de-AT` of the browser writes the time of a German page.
  const own = navigator.languages.find((name) => name.split('-')[0] === language.split('-')[0]);
  const format = new Intl.DateTimeFormat(own ?? language, { dateStyle: 'long', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    time.textContent = format.format(moment);
  }
}

/** What the gateway sends of a page to those who may see it. */
interface PageParts {
  language: string;
  direction: string;
  title: string;
  description: string;
  logo: string | null;
  style: string | null;
  content: string;
  data: PageData | null;
}

/** Puts the page in the place of the one that asked for a sign-in. @returns null if it is a message */
export async function takePage(headers: Record<string, string>): Promise<PageData | null> {
  const parts = (await (await fetch(location.pathname + location.search, { headers })).json()) as PageParts;
  show(parts);
  return parts.data;
}

/** Puts a page in the place of the one that asked for the sign-in. */
function show({ language, direction, title, description, logo, style, content }: PageParts): void {
  Object.assign(document.documentElement, { lang: language, dir: direction });
  document.title = title;
  const [heading, about] = [document.createElement('h1'), document.createElement('p')];
  heading.textContent = title;
  about.textContent = description;
  const image = Object.assign(document.createElement('img'), { alt: '', src: logo ?? '' });
  document
    .querySelector('header')!
    .replaceChildren(...(logo === null ? [] : [image]), heading, ...(description === '' ? [] : [about]));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style ?? '');
  document.adoptedStyleSheets = [sheet];
  document.getElementById('form')!.innerHTML = content;
  localizeTimes();
}

import type { components } from '@canvass/client';

export type HostedPage = components['schemas']['HostedPage'];

/** What the gateway wrote into the page. */
export interface PageData {
  formId: string;
  language: string;
  definition: Record<string, unknown>;
  /** Returns whether the form takes new answers. If not, those who have begun may still finish. */
  isOpen: boolean;
  page: HostedPage | null;
  /** The texts of the page in its language. */
  texts: Readonly<Record<string, string>>;
}

/** The data of the page; null where there is only a message. */
export const pageData = (): PageData | null =>
  JSON.parse(document.getElementById('data')!.textContent) as PageData | null;

/** Shows a message above the form; an empty one hides it. */
export function say(text: string): void {
  const status = document.getElementById('status')!;
  if (status.textContent !== text) status.textContent = text;
}

/** The path prefix of the installation: this script is `/f/assets/….js` behind it. */
export const pathPrefix = new URL(import.meta.url).pathname.split('/').slice(0, -3).join('/');

import type { HostedPage } from '@canvass/contracts';
import type { Answer } from '../forwarding';
import { escaped, firstPageHtml } from './first-page';
import { inOrder, languageOf, textOf } from './language';
import { textsIn, type TextName, type Texts } from './texts';
import { themeOf } from './theme';

/** The parts of a page, of which its HTML is made. */
export interface PageParts {
  language: string;
  direction: 'ltr' | 'rtl';
  title: string;
  description: string;
  logo: string | null;
  style: string | null;
  /** HTML: the questions or a message. */
  content: string;
  status: string;
  data: object | null;
}

/** A page and its status. */
export interface RenderedPage {
  status: number;
  parts: PageParts;
  /** The origins that may embed it. */
  frameAncestors: readonly string[];
  asksForSignIn: boolean;
}

/** What the browser asks for. */
export interface Wanted {
  language: string | null;
  acceptLanguage: string | undefined;
}

interface RuntimeForm {
  id: string;
  name: string;
  description: string | null;
  definition: object;
  page: HostedPage | null;
}

interface FormState {
  state: 'none' | 'open' | 'done' | 'closed';
  reason: string | null;
  opensAt: string | null;
  closesAt: string | null;
}

const reasons: Readonly<Record<string, TextName>> = {
  form_disabled: 'disabled',
  form_not_open: 'notOpen',
  form_closed: 'closed',
  form_full: 'full',
};

const linkFaults: Readonly<Record<string, TextName>> = {
  link_revoked: 'linkRevoked',
  link_expired: 'linkExpired',
  link_ended: 'linkEnded',
};

/** The page of a form, made of what submissions-svc answered about the form and its state. */
export function renderPage(wanted: Wanted, form: Answer, state: Answer): RenderedPage {
  if (form.status !== 200 || state.status !== 200) {
    return messagePage(wanted, refusalOf([form, state].find(({ status }) => status !== 200)!));
  }
  const { id, name, description, definition, page } = form.body as RuntimeForm;
  const { state: found, reason, opensAt, closesAt } = state.body as FormState;
  const language = languageOf(definition, wanted.language, wanted.acceptLanguage);
  const texts = textsIn(language);
  const { title, description: own } = definition as { title?: unknown; description?: unknown };
  const why: TextName | null =
    found === 'done' ? 'done' : found === 'closed' ? (reasons[reason ?? ''] ?? 'closed') : null;
  const times = { notOpen: opensAt, closed: closesAt } as Readonly<Partial<Record<TextName, string | null>>>;
  const parts: PageParts = {
    language,
    direction: directionOf(language),
    logo: page?.logo ?? null,
    style: themeOf(page),
    title: textOf(title, language) ?? name,
    description: textOf(own, language) ?? description ?? '',
    content:
      why === null
        ? `${firstPageHtml(definition, language)}<noscript><p class="message">${escaped(texts.script)}</p></noscript>`
        : messageHtml(texts, why, times[why] ?? null, language),
    status: why === null ? texts.loading : '',
    // Also where no answers are taken: who has begun before may still finish.
    data: { formId: id, language, definition, isOpen: why === null, hasOpen: found === 'open', texts, page },
  };
  return { status: 200, parts, frameAncestors: page?.frameAncestors ?? [], asksForSignIn: false };
}

/** A page with a message in the language of the browser. */
export function messagePage(
  { language: asked, acceptLanguage }: Wanted,
  { status, why }: { status: number; why: TextName },
): RenderedPage {
  const [first = 'en'] = [...(asked === null ? [] : inOrder(asked)), ...inOrder(acceptLanguage ?? '')];
  const language = /^de(-|$)/i.test(first) ? 'de' : 'en';
  const texts = textsIn(language);
  const asksForSignIn = why === 'signIn';
  const more = why === 'notFound' ? `<p class="message">${escaped(texts.notFoundMore)}</p>` : '';
  const parts: PageParts = {
    language,
    direction: 'ltr',
    logo: null,
    style: null,
    title: texts[why],
    description: '',
    content: more,
    status: '',
    data: asksForSignIn ? { asksForSignIn, texts } : null,
  };
  return { status, parts, frameAncestors: [], asksForSignIn };
}

function refusalOf({ status, body }: Answer): { status: number; why: TextName } {
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  if (errorCode === 'form_disabled') return { status: 409, why: 'disabled' };
  const link = linkFaults[String(errorCode)];
  if (link !== undefined) return { status: 410, why: link };
  if (status === 401) return { status: 403, why: 'signIn' };
  if (status === 403) return { status: 403, why: 'forbidden' };
  // An id that cannot be one is a 400.
  if (status === 404 || status === 400) return { status: 404, why: 'notFound' };
  return { status: 503, why: 'unavailable' };
}

/** A message; its time becomes that of the person's zone in the browser. */
function messageHtml(texts: Texts, why: TextName, time: string | null, language: string): string {
  const shown =
    time === null
      ? ''
      : `<time datetime="${escaped(time)}">${escaped(
          new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(
            new Date(time),
          ),
        )}</time>`;
  return `<p class="message">${escaped(texts[why]).replace('{time}', shown)}</p>`;
}

const rightToLeft = /^(ar|fa|he|ur)\b/i;

const directionOf = (language: string) => (rightToLeft.test(language) ? 'rtl' : 'ltr');

/** The HTML of a page. */
export function htmlOf(template: string, { logo, style, data, ...parts }: PageParts): string {
  const { language, direction, title, description, content, status } = parts;
  const values: Record<string, string> = {
    language: escaped(language),
    direction,
    title: escaped(title),
    description: description === '' ? '' : `<p>${escaped(description)}</p>`,
    logo: logo === null ? '' : `<img src="${escaped(logo)}" alt="" />`,
    style: style === null ? '' : `<style>${style}</style>`,
    content,
    status: escaped(status),
    // Inert, and no text in it can end its element.
    data: JSON.stringify(data).replaceAll('<', '\\u003c'),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
}

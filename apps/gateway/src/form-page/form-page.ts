import { Problem } from '@canvass/errors';
import { acceptedEncoding, notesOf, type RequestContext, type Target } from '@canvass/service-kit';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GatewaySettings } from '../config';
import { fileOf, requireRead, sendFile, type ConsoleFile } from '../console';
import { ask, problemFor, type Answer, type Upstream } from '../forwarding';
import { htmlOf, messagePage, renderPage, type RenderedPage, type Wanted } from './render-page';
import { hashOf } from './theme';

/**
 * The content security policy of the page. It loads from and calls its own origin only, and the
 * identity providers where it asks for a sign-in. HTML of a definition
 * passes the policy `default`, which takes out what acts by itself; `canvass-clean` is its result.
 */
const policyOf = (
  { parts: { style }, frameAncestors, asksForSignIn }: RenderedPage,
  providers: readonly string[],
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...(style === null ? [] : [hashOf(style)])].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...(asksForSignIn ? providers : [])].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types default canvass-clean',
  ].join('; ');

const filePolicy = "default-src 'none'";
const timeoutMs = 10_000;
const compress = promisify(gzip);

/** The pages on which respondents answer forms, and their files. */
export interface FormPages {
  /** Returns the file of a path below `/f/`. */
  findFile(path: string): ConsoleFile | undefined;
  /** Sends the page of a form. @throws {Problem} `method_not_allowed` */
  send(upstream: Upstream | undefined, asked: AskedPage): Promise<void>;
}

export interface AskedPage {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  target: Target;
  /** The refusal of the limits. */
  refusal: Problem | null;
}

/** The path of the page of a form: `/f/{formId}` or `/f/{slug}`. */
export const isFormPage = ({ segments }: Pick<Target, 'segments'>): boolean =>
  segments.length === 2 && segments[0] === 'f';

/**
 * Loads what the build made.
 *
 * @param folder of the web console, in which the page has a folder of its own
 * @param providers origins of the identity providers
 * @returns null if there is no such build
 */
export function loadFormPages(
  folder: string,
  { PathPrefix, TrustedHops }: Pick<GatewaySettings, 'PathPrefix' | 'TrustedHops'>,
  providers: readonly string[],
): FormPages | null {
  const built = path.join(folder, 'form-page');
  if (!existsSync(path.join(built, 'index.html'))) return null;
  const template = readFileSync(path.join(built, 'index.html'), 'utf8').replaceAll(
    '"./assets/',
    `"${PathPrefix}/f/assets/`,
  );
  const files = new Map(
    readdirSync(path.join(built, 'assets')).map((name) => [
      `/f/assets/${name}`,
      fileOf(built, `assets/${name}`, true),
    ]),
  );
  files.set('/f/embed.js', fileOf(built, 'embed.js', false));
  return {
    findFile: (at) => files.get(at),
    async send(upstream, asked) {
      const { request, response, target } = asked;
      notesOf(response).route = '/f/:formId';
      requireRead(request);
      const query = new URL(target.pathAndQuery, 'http://gateway').searchParams;
      const wanted = { language: query.get('lang'), acceptLanguage: request.headers['accept-language'] };
      const page = await pageOf(upstream, wanted, { ...asked, trustedHops: TrustedHops });
      response.setHeader('Content-Security-Policy', policyOf(page, providers));
      // A script with a token asks for the parts: the page is there already.
      const isScript = request.headers.authorization !== undefined || hasLink(request);
      response.setHeader('Content-Type', isScript ? 'application/json' : 'text/html; charset=utf-8');
      const text = isScript ? JSON.stringify(page.parts) : htmlOf(template, page.parts);
      await sendPage(page, text, request, response);
    },
  };
}

const hasLink = ({ headers }: IncomingMessage): boolean => headers['x-submission-token'] !== undefined;

/** The page of a form, or one that says why it cannot be shown. */
async function pageOf(
  upstream: Upstream | undefined,
  wanted: Wanted,
  { refusal, target, trustedHops, ...asked }: AskedPage & { trustedHops: number },
): Promise<RenderedPage> {
  const notes = notesOf(asked.response);
  if (refusal !== null) {
    notes.errorCode = refusal.errorCode;
    asked.response.setHeader('Retry-After', refusal.headers?.['Retry-After'] ?? '5');
    return messagePage(wanted, { status: refusal.status, why: 'tooMany' });
  }
  try {
    if (upstream === undefined) throw new Problem('not_found');
    const read = (at: string): Promise<Answer> =>
      ask(upstream, `/api/public/forms/${at}`, { ...asked, trustedHops, timeoutMs });
    const form = await read(target.segments[1]!);
    if (form.status !== 200) return renderPage(wanted, form, form);
    // The right of a link says what is permitted, not the state of the form.
    if (hasLink(asked.request)) return renderPage(wanted, form, { status: 200, body: { state: 'none' } });
    return renderPage(wanted, form, await read(`${(form.body as { id: string }).id}/state`));
  } catch (error) {
    notes.error = problemFor(error, 'Submissions').cause;
    asked.response.setHeader('Retry-After', '5');
    return messagePage(wanted, { status: 503, why: 'unavailable' });
  }
}

/** Sends a file of the page, which has the hash of its content in its name. */
export const sendFormPageFile = (
  file: ConsoleFile,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  // Pages of other origins load it.
  if (!file.isImmutable) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  sendFile(file, { route: '/f/assets/**', policy: filePolicy }, request, response);
};

async function sendPage(
  page: RenderedPage,
  text: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // It names one origin or none.
  if (page.frameAncestors.length > 0) response.removeHeader('X-Frame-Options');
  // It has the state of the form, and its language is that of the browser.
  response.setHeader('Cache-Control', 'no-store');
  let bytes = Buffer.from(text);
  if (acceptedEncoding(request, ['gzip']) !== 'identity') {
    bytes = Buffer.from(await compress(bytes));
    response.setHeader('Content-Encoding', 'gzip');
  }
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(page.status).end(bytes);
}

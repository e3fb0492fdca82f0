import { Problem } from '@canvass/errors';
import { notesOf, type RequestContext } from '@canvass/service-kit';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GatewaySettings } from '../config';
import { acceptedEncoding, fileOf, requireRead, sendFile, type ConsoleFile } from '../console';
import { ask, problemFor, type Answer, type Upstream } from '../forwarding';
import type { Target } from '../routing';
import { messagePage, renderPage, type RenderedPage } from './render-page';

/**
 * The content security policy of the page. It loads from and calls its own origin only. HTML of a definition
 * passes the policy `default`, which takes out what acts by itself; `canvass-clean` is its result.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default canvass-clean',
].join('; ');

const timeoutMs = 10_000;
const compress = promisify(gzip);

/** The pages on which respondents answer forms, and their files. */
export interface FormPages {
  /** Returns the file of a path below `/f/assets/`. */
  findFile(path: string): ConsoleFile | undefined;
  /** Sends the page of a form. */
  send(upstream: Upstream | undefined, asked: AskedPage): Promise<void>;
}

export interface AskedPage {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  target: Target;
}

/** The path of the page of a form: `/f/{formId}`. */
export const isFormPage = ({ segments }: Pick<Target, 'segments'>): boolean =>
  segments.length === 2 && segments[0] === 'f';

/**
 * Loads what the build made.
 *
 * @param folder of the web console, in which the page has a folder of its own
 * @returns null if there is no such build
 */
export function loadFormPages(
  folder: string,
  { PathPrefix, TrustedHops }: Pick<GatewaySettings, 'PathPrefix' | 'TrustedHops'>,
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
  return {
    findFile: (at) => files.get(at),
    async send(upstream, { request, response, context, target }) {
      const query = new URL(target.pathAndQuery, 'http://gateway').searchParams;
      const wanted = { language: query.get('lang'), acceptLanguage: request.headers['accept-language'] };
      const form = `/api/public/forms/${target.segments[1]}`;
      const read = (at: string): Promise<Answer> =>
        upstream === undefined
          ? Promise.reject(new Problem('not_found'))
          : ask(upstream, at, { request, context, trustedHops: TrustedHops, timeoutMs });
      const page = await Promise.all([read(form), read(`${form}/state`)]).then(
        ([found, state]) => renderPage(template, wanted, found, state),
        (error: unknown) => {
          notesOf(response).error = problemFor(error, 'Submissions').cause;
          return messagePage(template, wanted, { status: 503, why: 'unavailable' });
        },
      );
      await sendPage(page, request, response);
    },
  };
}

/** Sends a file of the page, which has the hash of its content in its name. */
export const sendFormPageFile = (
  file: ConsoleFile,
  request: IncomingMessage,
  response: ServerResponse,
): void => sendFile(file, { route: '/f/assets/**', policy }, request, response);

/** Refuses methods that a page does not have. @throws {Problem} `method_not_allowed` */
export function requirePageRead(request: IncomingMessage, response: ServerResponse): void {
  notesOf(response).route = '/f/:formId';
  requireRead(request);
}

async function sendPage(
  { status, html }: RenderedPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy);
  // It has the state of the form, and its language is that of the browser.
  response.setHeader('Cache-Control', 'no-store');
  if (status === 503) response.setHeader('Retry-After', '5');
  let bytes = Buffer.from(html);
  if (acceptedEncoding(request) !== 'identity') {
    bytes = Buffer.from(await compress(bytes));
    response.setHeader('Content-Encoding', 'gzip');
  }
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(status).end(bytes);
}

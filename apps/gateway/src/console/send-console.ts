import { Problem } from '@canvass/errors';
import { acceptedEncoding, notesOf, notModified } from '@canvass/service-kit';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleFile } from './console-files';

/**
 * The content security policy of the console. The page may load from its own origin only, and may not turn
 * text into code. `canvass-worker` is the only policy that may make the address of a script.
 *
 * @param origins what the page may call besides its own origin: the identity providers
 */
export const consolePolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...origins].join(' '),
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types canvass-worker',
  ].join('; ');

/**
 * The content security policy of the preview of a form. It has an origin of its own wherever it is opened,
 * and may load its script, and nothing else: the script holds the styles. SurveyJS writes themes into style
 * elements. A form definition may hold HTML: the policy `default` takes out what acts by itself, and
 * `canvass-clean` is its result.
 */
const previewPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
  "require-trusted-types-for 'script'",
  'trusted-types default canvass-clean',
].join('; ');

const allow = 'GET, HEAD, OPTIONS';

/**
 * Responds with a file of the console.
 *
 * @param policy see `consolePolicy`; the preview has one of its own
 * @throws {Problem} `method_not_allowed`
 */
export function sendConsole(
  file: ConsoleFile,
  policy: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (file.isPreview) {
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    // The origin of the frame has no name that could be permitted. The files are the same for everybody.
    response.setHeader('Access-Control-Allow-Origin', '*');
  }
  const route = { route: '/console/**', policy: file.isPreview ? previewPolicy : policy };
  sendFile(file, route, request, response);
}

/**
 * Responds with a file that a build of the console made.
 *
 * @throws {Problem} `method_not_allowed`
 */
export function sendFile(
  file: ConsoleFile,
  { route, policy }: { route: string; policy: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  notesOf(response).route = route;
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { Allow: allow }).end();
    return;
  }
  requireRead(request);
  const { bytes, encoding } = file.bytes(acceptedEncoding(request, ['br', 'gzip']));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  response.appendHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', `"${hash}"`);
  response.setHeader(
    'Cache-Control',
    file.isImmutable ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  );
  response.setHeader('Content-Security-Policy', policy);
  if (notModified(request.headers['if-none-match'], hash)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Type', file.contentType);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/**
 * Sends a browser from `/` to the console.
 *
 * @param pathPrefix the path at which a proxy serves the gateway; empty without one
 * @throws {Problem} `method_not_allowed`
 */
export function redirectToConsole(
  pathPrefix: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  notesOf(response).route = '/';
  requireRead(request);
  response.writeHead(302, { Location: `${pathPrefix}/console` }).end();
}

/** @throws {Problem} `method_not_allowed` for all methods that change something */
export function requireRead({ method }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  }
}

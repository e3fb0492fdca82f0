import type { Request, Response } from 'express';
import type { Answer } from './answers';
import type { Disconnect } from './disconnect';
import { etagOf, notModified } from './etag';

/**
 * Writes the answer of a handler: headers, `ETag`, 304 if the copy of the client is current, JSON or a
 * stream.
 */
export async function sendAnswer(
  request: Request,
  response: Response,
  answer: Answer,
  disconnect: Pick<Disconnect, 'signal'>,
): Promise<void> {
  if (response.headersSent) return; // the handler wrote the response itself
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.etag !== undefined) response.setHeader('ETag', etagOf(answer.etag));
  if (!response.hasHeader('Cache-Control')) {
    response.setHeader('Cache-Control', answer.etag === undefined ? 'no-store' : 'private, no-cache');
  }
  const safe = request.method === 'GET' || request.method === 'HEAD';
  if (safe && answer.etag !== undefined && notModified(request.headers['if-none-match'], answer.etag)) {
    response.removeHeader('Content-Type');
    response.status(304).end();
    return;
  }
  response.status(answer.status);
  if (answer.stream !== undefined) {
    if (request.method === 'HEAD') response.end();
    else await answer.stream(response, disconnect.signal);
    return;
  }
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(answer.body));
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

import { AnswerCheck, pathFinder, type OpenApiDocument, type SentAnswer } from '@canvass/openapi';
import type { FuzzRequest } from './requests';

/** Statuses of a failure in a service or in the gateway. */
const failures = [500, 501, 502, 505];
/** Statuses of requests that match no operation: no such path or method, or no valid HTTP. */
const ofNoOperation = [400, 404, 405, 413, 414, 431];
/** Members that all problems here have (RFC 9457). */
const members = ['type', 'title', 'detail', 'errorCode', 'traceId'];

/** Returns what is wrong with an answer: it is a failure, or the document does not have it. */
export type Judge = (
  request: Pick<FuzzRequest, 'method' | 'target'>,
  answer: SentAnswer & { body: Buffer },
) => string[];

export function judgeOf(document: OpenApiDocument): Judge {
  const check = new AnswerCheck(document);
  const find = pathFinder(Object.keys(document.paths));
  return ({ method, target }, answer) => {
    const { status, headers, body } = answer;
    if (failures.includes(status)) return [`the answer is a ${status}`];
    const noId = headers['x-request-id'] === undefined ? ['it has no X-Request-Id'] : [];
    const isHead = method === 'HEAD';
    const documented = isHead ? 'get' : method.toLowerCase();
    // A slash at the end is ignored.
    const template = find(target.split('?', 1)[0]!.replace(/(.)\/$/, '$1'));
    if (template !== undefined && document.paths[template]![documented] !== undefined)
      return [...check.faults(documented, template, { ...answer, body: isHead ? null : body }), ...noId];
    if (method === 'OPTIONS' && status === 204) return [];
    if (!ofNoOperation.includes(status)) return [`${method} of no operation is answered ${status}`];
    if (isHead) return noId;
    if (!String(headers['content-type']).startsWith('application/problem+json'))
      return [`a ${status} of no operation that is not a problem`, ...noId];
    const problem = JSON.parse(body.toString()) as Record<string, unknown>;
    const missing = members.filter((member) => typeof problem[member] !== 'string');
    return [...missing.map((member) => `a problem without its ${member}`), ...noId];
  };
}

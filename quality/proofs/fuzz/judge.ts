import { AnswerCheck, pathFinder, type OpenApiDocument, type SentAnswer } from '@canvass/openapi';
import type { FuzzRequest } from './requests';

/** Statuses of a failure in a service or in the gateway. */
const failures = [500, 501, 502, 505];

/** Statuses of requests that match no operation: no such path or method, or no valid HTTP. */
const ofNoOperation = [400, 404, 405, 413, 414, 431];

/** Returns what is wrong with an answer: it is a failure, or the document does not have it. */
export type Judge = (
  request: Pick<FuzzRequest, 'method' | 'target'>,
  answer: SentAnswer & { body: Buffer },
) => string[];

export function judgeOf(document: OpenApiDocument): Judge {
  const check = new AnswerCheck(document);
  const finders = new Map<string, (path: string) => string | undefined>();
  // Only paths with that method: GET /submissions/export matches /submissions/{id}, because export takes only
  // POST.
  const templateOf = (method: string, path: string): string | undefined => {
    const finder =
      finders.get(method) ??
      pathFinder(Object.keys(document.paths).filter((each) => document.paths[each]![method] !== undefined));
    finders.set(method, finder);
    return finder(path);
  };
  return ({ method, target }, answer) => {
    const { status, headers } = answer;
    if (failures.includes(status)) return [`the answer is a ${status}`];
    // A slash at the end is ignored.
    const path = target.split('?', 1)[0]!.replace(/(.)\/$/, '$1');
    const documented = method === 'HEAD' ? 'get' : method.toLowerCase();
    const template = templateOf(documented, path);
    const idFaults = headers['x-request-id'] === undefined ? ['it has no X-Request-Id'] : [];
    if (template !== undefined) {
      const body = method === 'HEAD' ? null : answer.body;
      return [...check.faults(documented, template, { ...answer, body }), ...idFaults];
    }
    if (method === 'OPTIONS' && status === 204) return [];
    if (!ofNoOperation.includes(status)) return [`${method} of no operation is answered ${status}`];
    return [...(method === 'HEAD' ? [] : problemFaults(answer)), ...idFaults];
  };
}

/** RFC 9457, with the members that all problems here have. */
function problemFaults({ status, headers, body }: SentAnswer & { body: Buffer }): string[] {
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    return [`a ${status} of no operation that is not a problem`];
  const problem = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const members = ['type', 'title', 'detail', 'errorCode', 'traceId'];
  const missing = members.filter((member) => typeof problem[member] !== 'string');
  if (problem['status'] !== status) missing.push('status');
  return missing.map((member) => `a problem without its ${member}`);
}

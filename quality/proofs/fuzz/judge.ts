import { AnswerCheck, pathFinder, type OpenApiDocument, type SentAnswer } from '@canvass/openapi';
import type { FuzzRequest } from './requests';

/** Statuses that say something failed, or waited too long, behind the gateway or in it. */
const failures = [500, 501, 502, 505];

/** Statuses of requests that are of no operation: no such path or method, or not even HTTP. */
const ofNoOperation = [400, 404, 405, 413, 414, 431];

/** Says what is wrong with an answer: it is a failure, or the document does not know it. */
export class Judge {
  readonly #check: AnswerCheck;
  readonly #finders = new Map<string, (path: string) => string | undefined>();

  constructor(private readonly document: OpenApiDocument) {
    this.#check = new AnswerCheck(document);
  }

  faultsOf({ method, target }: FuzzRequest, answer: SentAnswer): string[] {
    const { status } = answer;
    if (failures.includes(status)) return [`the answer is a ${status}`];
    // One slash at the end is taken for none.
    const path = target.split('?', 1)[0]!.replace(/(.)\/$/, '$1');
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const looked = method === 'HEAD' ? { ...answer, body: null } : answer;
    const template = this.#finderOf(asked)(path);
    if (template !== undefined) {
      return [...this.#check.faults(asked, template, looked), ...idFaults(answer)];
    }
    if (method === 'OPTIONS' && status === 204) return [];
    if (!ofNoOperation.includes(status)) return [`${method} of no operation is answered ${status}`];
    return [...problemFaults(looked), ...idFaults(answer)];
  }

  /** Of the paths with that method alone: a GET of `/submissions/export`, which is only posted to, is one of `/submissions/{id}`. */
  #finderOf(method: string): (path: string) => string | undefined {
    const { paths } = this.document;
    const known = this.#finders.get(method);
    const finder =
      known ?? pathFinder(Object.keys(paths).filter((path) => paths[path]![method] !== undefined));
    this.#finders.set(method, finder);
    return finder;
  }
}

/** Every answer names its request, for the logs. */
const idFaults = ({ headers }: SentAnswer): string[] =>
  headers['x-request-id'] === undefined ? ['it has no X-Request-Id'] : [];

/** RFC 9457, with the members that all problems here have. */
function problemFaults({ status, headers, body }: SentAnswer): string[] {
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    return [`a ${status} of no operation that is not a problem`];
  if (body === null) return [];
  const problem = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const missing = ['type', 'title', 'detail', 'errorCode', 'traceId'].filter(
    (member) => typeof problem[member] !== 'string',
  );
  if (problem['status'] !== status) missing.push('status');
  return missing.map((member) => `a problem without its ${member}`);
}

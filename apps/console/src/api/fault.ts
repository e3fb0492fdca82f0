import { attempt } from '../attempt';
import { membersOf } from '../json-object';

/** A rule that a member of the body breaks. */
export interface Violation {
  /** `name`, `items[3].value` */
  path: string;
  /** Stable name, such as `string.max`. */
  rule: string;
  params: Readonly<Record<string, unknown>>;
  /** English. */
  message: string;
}

/** An answer of the API that is an error, or no answer at all. */
export class Fault extends Error {
  override readonly name = 'Fault';

  constructor(
    /** HTTP status; 0 if there was no answer. */
    readonly status: number,
    /** `errorCode` of the problem document; empty without one. */
    readonly code = '',
    detail = '',
    /** Names the request in the logs. */
    readonly requestId: string | null = null,
    /** Seconds to wait, if the server said so. */
    readonly retryAfter: number | null = null,
    /** The faults of the members of the body. */
    readonly violations: readonly Violation[] = [],
    /** Submissions that the request would erase and must confirm. */
    readonly erases: number | null = null,
  ) {
    super(detail);
  }

  /** Returns whether a later attempt may succeed: no answer, too many requests, or a service that is down. */
  get isTemporary(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

interface ProblemBody {
  errorCode?: unknown;
  detail?: unknown;
  title?: unknown;
  violations?: unknown;
  erases?: unknown;
}

/** The fault of a response that is not ok. A body that is no problem document is not shown. */
export async function faultOf(response: Response): Promise<Fault> {
  const text = await response.text().catch(() => '');
  const problem: ProblemBody = membersOf(attempt(() => JSON.parse(text) as unknown));
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new Fault(
    response.status,
    typeof problem.errorCode === 'string' ? problem.errorCode : '',
    String(problem.detail ?? problem.title ?? ''),
    response.headers.get('x-request-id'),
    Number.isFinite(seconds) ? seconds : null,
    Array.isArray(problem.violations) ? (problem.violations as Violation[]) : [],
    typeof problem.erases === 'number' ? problem.erases : null,
  );
}

/** The fault of a request without an answer. */
export const noAnswer = (): Fault => new Fault(0);

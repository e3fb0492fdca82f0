/** The body of a response that is not a success (RFC 9457). */
export interface ProblemBody {
  errorCode?: string;
  title?: string;
  detail?: string;
  /** Sentences by field. */
  errors?: Record<string, string[]>;
  /** Names the request in the logs of the servers. */
  traceId?: string;
}

/** A request that did not succeed. */
export class CanvassError extends Error {
  override readonly name = 'CanvassError';

  declare readonly response: Response;

  constructor(
    response: Response,
    readonly problem: ProblemBody,
  ) {
    const { errorCode = 'no error code', detail, title = '' } = problem;
    super(`${new URL(response.url).pathname} answered ${response.status} (${errorCode}): ${detail ?? title}`);
    // Not enumerable: an uncaught error would print the whole response.
    Object.defineProperty(this, 'response', { value: response });
  }

  get status(): number {
    return this.response.status;
  }

  get errorCode(): string | undefined {
    return this.problem.errorCode;
  }
}

/**
 * Returns the data of a call: `await dataOf(canvass.GET('/api/forms'))`.
 *
 * @throws {CanvassError} if the request did not succeed
 */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw new CanvassError(
    response,
    typeof error === 'object' && error !== null ? error : { detail: String(error) },
  );
}

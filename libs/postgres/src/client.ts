import pg from 'pg';

/**
 * A client of pg whose results become garbage as soon as they are unused.
 *
 * For a promise or a time limit pg assigns a new arrow function to a property of each query. V8 allocates a
 * function that is assigned to a property among the old objects, because it takes it for a method. So each
 * query kept its result until the next collection of the whole heap, which uses all cores for 20 to 40 ms.
 * Here pg gets its callback as an argument.
 */
export class Client extends pg.Client {
  readonly #answerMs: number | undefined;

  constructor(options: pg.ClientConfig = {}) {
    const { query_timeout: answerMs, ...others } = options;
    super(others);
    this.#answerMs = answerMs ?? undefined;
  }

  override query = ((config: string | pg.QueryConfig | pg.Submittable, ...others: unknown[]): unknown => {
    const [values] = others;
    if (isSubmittable(config) || others.some((each) => typeof each === 'function'))
      return (super.query as (...all: unknown[]) => unknown)(config, ...others);
    const { query_timeout: answerMs = this.#answerMs, ...query } = asConfig(config);
    if (values !== undefined) query.values = values as unknown[];
    return this.#answer(query, answerMs);
  }) as pg.Client['query'];

  async #answer(query: pg.QueryConfig, answerMs: number | undefined): Promise<pg.QueryResult> {
    try {
      return await new Promise<pg.QueryResult>((resolve, reject) => {
        const timeout = () => reject(new Error('Query read timeout'));
        const timer = answerMs === undefined ? undefined : setTimeout(timeout, answerMs);
        super.query(query, (error: Error | null, result) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve(result);
        });
      });
    } catch (error) {
      // Otherwise the stack names the socket, not the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}

const isSubmittable = (config: unknown): config is pg.Submittable =>
  typeof (config as Partial<pg.Submittable> | null)?.submit === 'function';

const asConfig = (config: string | pg.QueryConfig): pg.QueryConfig & { query_timeout?: number } =>
  typeof config === 'string' ? { text: config } : config;

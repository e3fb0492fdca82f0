import { clientOf, median, percentile } from '@canvass/testing';
import type { Bench } from '../bench';
import type { Child } from '../child';
import type { LoadApi } from '../processes/load';
import type { PlanLog, StatementRun } from './plans';
import type { Question } from './question';

/** Requests per second, and the limit of p99 in milliseconds. */
export const perSecond = 20;
export const limitMs = 50;
/** A request slower than this in milliseconds, asked alone, is not asked 20 times a second. */
const slowMs = 200;
const tries = 3;

/** How a question was answered with the rows of one size. */
export interface Answered {
  p50: number;
  p99: number;
  /** The sentence of `query_too_broad`; null for an answer. */
  refusal: string | null;
  /** Requests that failed. */
  errors: number;
  /** The first of them that was asked alone. */
  failure: string | null;
  /** The longest statement about the main table of the question; null if none ended. */
  statement: StatementRun | null;
}

/** Below the limit, or refused with a sentence. */
export const isMet = ({ p99, refusal, errors }: Answered): boolean =>
  refusal !== null || (errors === 0 && p99 < limitMs);

/** Asks questions as the administrator of the tenant, whose token is renewed. */
export class Asker {
  private token = '';
  private renewAt = 0;

  constructor(
    private readonly bench: Bench,
    private readonly load: Child<LoadApi>,
    private readonly plans: PlanLog | null,
  ) {}

  /**
   * Asks alone first, which gives the plan, then steadily for `seconds`. What is refused or slow alone is not
   * asked steadily: its latencies are those of the requests alone.
   */
  async ask(question: Question, seconds: number): Promise<Answered> {
    const { gatewayUrl } = (await this.bench.stack()).file;
    const client = clientOf(gatewayUrl, await this.freshToken());
    const alone: number[] = [];
    let refusal: string | null = null;
    let failure: string | null = null;
    const once = async (path: string) => {
      const started = performance.now();
      const { status, body } = await client.call<{ errorCode?: string; detail?: string }>('GET', path);
      alone.push(performance.now() - started);
      if (status === 200) return;
      if (body.errorCode === 'query_too_broad') refusal = body.detail ?? '';
      else failure = `GET ${path} answered ${status}: ${JSON.stringify(body)}`;
    };
    const paths = Array.from({ length: tries }, (_, n) => question.paths[n % question.paths.length]!);
    const isAnswered = () => refusal === null && failure === null;
    for (const path of paths) if (isAnswered()) await once(path);
    let statement: StatementRun | null = null;
    if (this.plans !== null && isAnswered()) {
      const runs = await this.plans.during(() => once(paths[0]!));
      alone.pop(); // the plan was measured with it
      const about = runs.filter(({ text }) => isAbout(text, question.table));
      statement = about.sort((a, b) => b.ms - a.ms)[0] ?? null;
    }
    const times = { p50: median(alone), p99: Math.max(...alone) };
    if (!isAnswered() || median(alone) > slowMs)
      return { ...times, refusal, errors: failure === null ? 0 : 1, failure, statement };
    const headers = { authorization: `Bearer ${await this.freshToken()}` };
    const request = {
      origin: gatewayUrl,
      method: 'GET' as const,
      paths: question.paths,
      headers,
      expect: 200,
    };
    const { latenciesMs, errors } = await this.load.call('open', request, perSecond, seconds);
    const at = (share: number) => percentile(latenciesMs, share);
    return { p50: at(0.5), p99: at(0.99), refusal, errors, failure, statement };
  }

  /** A token that is valid for some minutes more. */
  private async freshToken(): Promise<string> {
    if (Date.now() > this.renewAt) {
      this.token = (await this.bench.client()).token;
      this.renewAt = Date.now() + 5 * 60_000;
    }
    return this.token;
  }
}

/** A statement that reads the table, not one of a background job that changes it. */
const isAbout = (text: string, table: string): boolean =>
  new RegExp(`\\b(from|join) ("?\\w+"?\\.)?"?${table.replace(' ', '"? ')}\\b`, 'i').test(text) &&
  /^\s*(select|with)\b/i.test(text) &&
  !/\b(insert into|update|delete from|for update|skip locked)\b/i.test(text);

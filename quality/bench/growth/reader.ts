import { clientOf, median, percentile } from '@canvass/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench';
import type { Child } from '../child';
import type { LoadApi } from '../processes/load';
import { row, whole } from '../report';
import { StreamClient } from '../stream-client';
import type { World } from './world';

const perSecond = 100;
const rounds = 5;
const mostRatio = 1.3;
/** Of the reader between two requests, in milliseconds. */
const pauseMs = 100;
const body = JSON.stringify({ jsonData: JSON.stringify({ rating: 5, comment: 'x'.repeat(250) }) });

/** Creates at a steady rate, alone and beside a person who reads the same form, in turns. */
export interface BesideReader {
  findings: string[][];
  notes: string[];
  errors: number;
}

/**
 * Measures whether a person who scrolls, filters and exports a form slows creates in it.
 *
 * @param seconds of each window; there are two of them in each round
 */
export async function besideReader(
  bench: Bench,
  load: Child<LoadApi>,
  { formId, times }: World,
  seconds: number,
): Promise<BesideReader> {
  const { gatewayUrl } = (await bench.stack()).file;
  const { token } = await bench.client();
  const list = `/api/forms/${formId}/submissions`;
  let errors = 0;
  const creates = async () => {
    const request = { origin: gatewayUrl, method: 'POST' as const, paths: [list], body, expect: 201 };
    const found = await load.call('open', request, perSecond, seconds);
    errors += found.errors;
    return found.latenciesMs;
  };
  const reader = new Reader(gatewayUrl, token, list, times);
  await creates(); // warm
  const windows: { alone: Float64Array; beside: Float64Array }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const beside = () => reader.during(creates);
    // The first window starts on the machine as the last one left it, so the order alternates.
    const [first, second] =
      round % 2 === 0 ? [await creates(), await beside()] : [await beside(), await creates()];
    windows.push(round % 2 === 0 ? { alone: first, beside: second } : { alone: second, beside: first });
  }
  const p99s = (of: 'alone' | 'beside') => windows.map((window) => percentile(window[of], 0.99));
  const p50s = (of: 'alone' | 'beside') => windows.map((window) => percentile(window[of], 0.5));
  const [alone, beside] = [p99s('alone'), p99s('beside')];
  const ratio = median(beside.map((p99, round) => p99 / alone[round]!));
  const shown = (values: number[]) => values.map((ms) => ms.toFixed(1)).join(', ');
  return {
    findings: [
      row(
        `creates at ${perSecond}/s beside a reader ÷ alone, p99`,
        ratio.toFixed(2),
        `≤ ${mostRatio}`,
        ratio <= mostRatio,
      ),
    ],
    notes: [
      `Creates at ${perSecond}/s in the same form, ${rounds} rounds of ${seconds} s each: p99 alone ${shown(alone)} ms, beside the reader ` +
        `${shown(beside)} ms; p50 alone ${median(p50s('alone')).toFixed(1)} ms, beside ${median(p50s('beside')).toFixed(1)} ms. ` +
        `Meanwhile the reader got ${whole(reader.pages)} pages, ${whole(reader.refusals)} of its filters were refused as too broad, ` +
        `and it exported ${whole(reader.bytes / 1e6)} MB.`,
    ],
    errors,
  };
}

/** A person who scrolls through a form, tries filters, and exports it meanwhile. */
class Reader {
  pages = 0;
  refusals = 0;
  bytes = 0;
  private readonly filters: string[];

  constructor(
    private readonly gatewayUrl: string,
    private readonly token: string,
    private readonly list: string,
    times: readonly string[],
  ) {
    this.filters = [
      'filter=status:approved',
      'search=unknown',
      'filter=collectionStatus:screen_out',
      `from=${times[2]}&to=${times[3]}&filter=answers.channel:web`,
      'filter=submitterProfile.department:Board',
      'sortBy=modifiedAt',
      'filter=answers.order:A-7',
      'filter=isComplete:false&total=estimated',
    ];
  }

  /** Reads while `act` runs. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const reading = [this.scroll(ending.signal), this.export(ending.signal)];
    try {
      return await act();
    } finally {
      ending.abort();
      await Promise.all(reading);
    }
  }

  private async scroll(signal: AbortSignal): Promise<void> {
    const client = clientOf(this.gatewayUrl, this.token);
    let after = '';
    for (let n = 1; !signal.aborted; n += 1) {
      const isFilter = n % 5 === 0;
      const query = isFilter ? `&${this.filters[(n / 5) % this.filters.length]}` : after;
      const { status, body } = await client.call<{ next: string | null }>(
        'GET',
        `${this.list}?limit=50${query}`,
      );
      if (status === 200) this.pages += 1;
      else this.refusals += 1;
      if (!isFilter && status === 200) after = body.next === null ? '' : `&after=${body.next}`;
      await sleep(pauseMs);
    }
  }

  private async export(signal: AbortSignal): Promise<void> {
    const client = new StreamClient(this.gatewayUrl, this.token);
    while (!signal.aborted) {
      const chunks = await client.export(this.list, { format: 'csv' });
      const stop = () => chunks.destroy();
      signal.addEventListener('abort', stop);
      try {
        for await (const chunk of chunks) this.bytes += (chunk as Buffer).length;
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
  }
}

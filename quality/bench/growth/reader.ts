import { median, percentile } from '@canvass/testing';
import type { Bench } from '../bench';
import type { Child } from '../child';
import type { LoadApi } from '../processes/load';
import type { ReaderApi } from '../processes/reader';
import { row, whole } from '../report';
import type { World } from './world';

const perSecond = 100;
const rounds = 5;
const mostRatio = 1.3;
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
  const person = await bench.child<ReaderApi>('reader');
  const filters = [
    'filter=status:approved',
    'search=unknown',
    'filter=collectionStatus:screen_out',
    `from=${times[2]}&to=${times[3]}&filter=answers.channel:web`,
    'filter=submitterProfile.department:Board',
    'sortBy=modifiedAt',
    'filter=answers.order:A-7',
    'filter=isComplete:false&total=estimated',
  ];
  const reader = { pages: 0, refusals: 0, bytes: 0 };
  await creates(); // warm
  const windows: { alone: Float64Array; beside: Float64Array }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const beside = async () => {
      await person.call('begin', { gatewayUrl, token, list, filters });
      const latencies = await creates();
      const read = await person.call('end');
      for (const name of ['pages', 'refusals', 'bytes'] as const) reader[name] += read[name];
      return latencies;
    };
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
      `Creates at ${perSecond}/s in the same form, ${rounds} rounds of ${seconds.toFixed(1)} s each: p99 alone ${shown(alone)} ms, beside the reader ` +
        `${shown(beside)} ms; p50 alone ${median(p50s('alone')).toFixed(1)} ms, beside ${median(p50s('beside')).toFixed(1)} ms. ` +
        `Meanwhile the reader got ${whole(reader.pages)} pages, ${whole(reader.refusals)} of its filters were refused as too broad, ` +
        `and it exported ${whole(reader.bytes / 1e6)} MB.`,
    ],
    errors,
  };
}

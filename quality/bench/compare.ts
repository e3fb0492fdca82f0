import { limitRow, ratioRow, row, spread, whole, type Report } from './report';
import { median, percentile } from '@canvass/testing';

/** What a variant did in one round. */
export interface Sample {
  operations: number;
  seconds: number;
  /** Of the operations, where they have one each. */
  latenciesMs?: Float64Array;
  /** Operations that failed; a scenario with any is not recorded. */
  errors: number;
}

/** One side of a comparison. */
export interface Variant {
  name: string;
  /** What it is, for the table. */
  about: string;
  /** What its rate counts. */
  unit: string;
  /** Until V8 has compiled the code that the rounds run, in seconds; default: 4. A short run has less. */
  warmUpSeconds?: number;
  /** Works for about so long. `warmUp` rounds are not counted. */
  run(seconds: number, warmUp: boolean): Promise<Sample>;
}

export interface Comparison {
  variants: readonly Variant[];
  /** The ratios that the scenario is about: rate of `of` by rate of `to`, or p50 by p50. */
  ratios: readonly { of: string; to: string; by: 'rate' | 'p50'; atLeast?: number }[];
  /** Differences of p50: the median over the rounds of the difference within the round, in milliseconds. */
  differences?: readonly { of: string; to: string; below?: number }[];
  /** Limits on a value of one variant. */
  limits?: readonly { of: string; value: 'rate' | 'p50' | 'p99'; atLeast?: number; below?: number }[];
  notes?: string[];
  /** Called once, after the warm-up. */
  warmedUp?(): Promise<unknown>;
}

const defaultWarmUp = 4;

/**
 * Lets the variants take turns in rounds, so that the noise of a shared machine affects all alike. A ratio
 * is the median over the rounds of the ratio within the round.
 *
 * @param seconds measured seconds of each variant over all its rounds
 */
export async function compare(seconds: number, comparison: Comparison): Promise<Report> {
  const { variants, ratios, differences = [], limits = [], notes = [] } = comparison;
  // Long enough to mean something, and enough for a median.
  const rounds = Math.max(3, Math.min(7, Math.round(seconds / 4)));
  const samples = new Map<string, Sample[]>(variants.map(({ name }) => [name, []]));
  for (const variant of variants) {
    const { errors } = await variant.run(Math.min(variant.warmUpSeconds ?? defaultWarmUp, seconds), true);
    if (errors > 0) throw new Error(`${errors} operations of "${variant.name}" failed in the warm-up.`);
  }
  await comparison.warmedUp?.();
  for (let round = 1; round <= rounds; round++) {
    // The first one starts on the machine as the last round left it, so the order alternates.
    for (const variant of round % 2 === 0 ? [...variants].reverse() : variants)
      samples.get(variant.name)!.push(await variant.run(seconds / rounds, false));
    const shown = variants.map(({ name }) => `${name} ${whole(rateOf(samples.get(name)!.at(-1)!))}/s`);
    console.log(`  round ${round} of ${rounds}: ${shown.join(', ')}`);
  }
  const results = variants.map((variant) => resultOf(variant, samples.get(variant.name)!));
  const find = (name: string) => results.find(({ variant }) => variant.name === name)!;
  const failed = results.filter(({ errors }) => errors > 0);
  return {
    findings: [
      ...ratios.map(({ of, to, by, atLeast }) =>
        by === 'rate'
          ? ratioRow(`${of} ÷ ${to}`, find(of).rates, find(to).rates, atLeast)
          : ratioRow(`${of} ÷ ${to}, p50`, find(of).p50s, find(to).p50s, atLeast),
      ),
      ...differences.map(({ of, to, below }) => {
        const added = median(find(of).p50s.map((p50, round) => p50 - find(to).p50s[round]!));
        const target = below === undefined ? '' : `< ${below} ms`;
        const isMet = below === undefined ? undefined : added < below;
        return row(`${of} − ${to}, p50`, `${added.toFixed(2)} ms`, target, isMet);
      }),
      ...limits.map(({ of, value, ...limit }) =>
        limitRow(`${of}, ${value}`, find(of)[value], value === 'rate' ? '/s' : ' ms', limit),
      ),
    ],
    results: [
      ['', 'What', 'per second', 'p50 ms', 'p99 ms', 'spread of rounds'],
      ...results.map(({ variant, rate, rates, p50, p99 }) => [
        variant.name,
        variant.about,
        `${whole(rate)} ${variant.unit}`,
        Number.isNaN(p50) ? '' : p50.toFixed(2),
        Number.isNaN(p99) ? '' : p99.toFixed(2),
        spread(rates),
      ]),
    ],
    notes: [
      ...notes,
      ...failed.map(({ variant, errors }) => `${errors} operations of "${variant.name}" failed.`),
    ],
    broken: failed.length > 0,
  };
}

const rateOf = ({ operations, seconds }: Sample): number => operations / seconds;

function resultOf(variant: Variant, samples: readonly Sample[]) {
  const latencies = samples.map(({ latenciesMs }) => Array.from(latenciesMs ?? []));
  const rates = samples.map(rateOf);
  return {
    variant,
    rates,
    rate: median(rates),
    p50s: latencies.map((each) => percentile(each, 0.5)),
    p50: percentile(latencies.flat(), 0.5),
    p99: percentile(latencies.flat(), 0.99),
    errors: samples.reduce((sum, { errors }) => sum + errors, 0),
  };
}

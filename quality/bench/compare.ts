import { median, percentile } from '@canvass/testing';
import type { Figure, Report } from './report';

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
  /** Works for about so long. `warmUp` rounds are not counted. */
  run(seconds: number, warmUp: boolean): Promise<Sample>;
}

export interface Comparison {
  variants: readonly Variant[];
  /** Called once, after the warm-up. */
  warmedUp?(): Promise<unknown>;
}

/** Until V8 has compiled the code that the rounds run. A short run has less. */
const warmUpSeconds = 4;

/**
 * Lets the variants take turns in rounds, so that the noise of a shared machine affects all alike.
 *
 * @param seconds measured seconds of each variant over all its rounds
 */
export async function compare(seconds: number, comparison: Comparison): Promise<Report> {
  const { variants } = comparison;
  // Long enough to mean something, and enough for a median.
  const rounds = Math.max(3, Math.min(7, Math.round(seconds / 4)));
  const samples = new Map<string, Sample[]>(variants.map(({ name }) => [name, []]));
  for (const { name, run } of variants) {
    const { errors } = await run(Math.min(warmUpSeconds, seconds), true);
    if (errors > 0) throw new Error(`${errors} operations of "${name}" failed in the warm-up.`);
  }
  await comparison.warmedUp?.();
  for (let round = 1; round <= rounds; round++) {
    // The first one starts on the machine as the last round left it, so the order alternates.
    for (const { name, run } of round % 2 === 0 ? [...variants].reverse() : variants)
      samples.get(name)!.push(await run(seconds / rounds, false));
    const rates = variants.map(({ name }) => `${name} ${Math.round(ratesOf(samples.get(name)!).at(-1)!)}/s`);
    console.log(`  round ${round} of ${rounds}: ${rates.join(', ')}`);
  }
  const figures = variants.flatMap(({ name }) => figuresOf(name, samples.get(name)!));
  const failed = [...samples]
    .map(([name, each]) => [name, each.reduce((sum, { errors }) => sum + errors, 0)] as const)
    .filter(([, errors]) => errors > 0);
  return {
    figures,
    notes: failed.map(([name, errors]) => `${errors} operations of "${name}" failed.`),
    broken: failed.length > 0,
  };
}

const ratesOf = (samples: readonly Sample[]): number[] =>
  samples.map(({ operations, seconds }) => operations / seconds);

function figuresOf(name: string, samples: readonly Sample[]): Figure[] {
  const latencies = samples.flatMap(({ latenciesMs }) => Array.from(latenciesMs ?? []));
  const rate = { what: name, value: median(ratesOf(samples)), unit: '/s' };
  if (latencies.length === 0) return [rate];
  const ms = ([what, share]: [string, number]) => ({
    what: `${name}, ${what}`,
    value: percentile(latencies, share),
    unit: ' ms',
  });
  return [rate, ms(['p50', 0.5]), ms(['p99', 0.99])];
}

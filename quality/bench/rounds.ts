import { UsageWatch, type Usage } from './process-usage';
import type { Contestant, Prepared } from './scenario';
import { median, percentile } from './statistics';

/** A contestant's result over all rounds. */
export interface Result {
  contestant: Contestant;
  /** Operations per second, by round. */
  rates: number[];
  /** Median latency in milliseconds, by round; empty where operations have none. */
  p50s: number[];
  rate: number;
  p50: number | null;
  p99: number | null;
  operations: number;
  /** Of all rounds. */
  seconds: number;
  errors: number;
  usage: Usage[];
}

/** `seconds` split into rounds that are long enough to mean something and enough to have a median. */
export function planRounds(seconds: number): { rounds: number; roundSeconds: number } {
  const rounds = Math.max(3, Math.min(7, Math.round(seconds / 4)));
  return { rounds, roundSeconds: seconds / rounds };
}

const warmUpSeconds = 4;

/** Lets the contestants take turns, so that the noise of a shared machine meets all alike. */
export async function runRounds(
  { contestants, warmedUp }: Pick<Prepared, 'contestants' | 'warmedUp'>,
  plan: { rounds: number; roundSeconds: number },
  say: (line: string) => void,
): Promise<Result[]> {
  const gathered = contestants.map((contestant) => ({ contestant, samples: [] as Turn[] }));
  for (const { contestant } of gathered)
    await contestant.run(Math.min(warmUpSeconds, plan.roundSeconds), true);
  await warmedUp?.();
  for (let round = 1; round <= plan.rounds; round++) {
    // Whoever begins has the machine as the last round left it: the order turns.
    const turned = round % 2 === 0 ? [...gathered].reverse() : gathered;
    for (const { contestant, samples } of turned) {
      samples.push(await turnOf(contestant, plan.roundSeconds));
    }
    const rates = gathered.map(({ contestant, samples }) => {
      const { operations, seconds } = samples.at(-1)!;
      return `${contestant.name} ${Math.round(operations / seconds)}/s`;
    });
    say(`  round ${round} of ${plan.rounds}: ${rates.join(', ')}`);
  }
  return gathered.map(({ contestant, samples }) => resultOf(contestant, samples));
}

type Turn = Awaited<ReturnType<Contestant['run']>> & { usage: Usage[] };

async function turnOf(contestant: Contestant, seconds: number): Promise<Turn> {
  const watch = new UsageWatch(contestant.watched());
  try {
    const sample = await contestant.run(seconds, false);
    return { ...sample, usage: watch.stop() };
  } catch (error) {
    watch.stop();
    throw error;
  }
}

function resultOf(contestant: Contestant, samples: readonly Turn[]): Result {
  const latencies = samples.map(({ latenciesMs }) => latenciesMs).filter((each) => each !== undefined);
  const all = latencies.flatMap((each) => Array.from(each));
  const sum = (of: (turn: Turn) => number) => samples.reduce((total, turn) => total + of(turn), 0);
  const rates = samples.map(({ operations, seconds }) => operations / seconds);
  return {
    contestant,
    rates,
    p50s: latencies.map((each) => percentile(each, 0.5)),
    rate: median(rates),
    p50: all.length === 0 ? null : percentile(all, 0.5),
    p99: all.length === 0 ? null : percentile(all, 0.99),
    operations: sum(({ operations }) => operations),
    seconds: sum(({ seconds }) => seconds),
    errors: sum(({ errors }) => errors),
    usage: (samples[0]?.usage ?? []).map(({ name }, index) => ({
      name,
      cpuSeconds: sum(({ usage }) => usage[index]?.cpuSeconds ?? 0),
      peakBytes: Math.max(...samples.map(({ usage }) => usage[index]?.peakBytes ?? 0)),
    })),
  };
}

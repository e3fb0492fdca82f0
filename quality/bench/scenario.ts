import type { BenchRun } from './bench-run';
import type { Watched } from './process-usage';

/** What a contestant did in one round. */
export interface Sample {
  operations: number;
  seconds: number;
  /** Of the operations, where they have one each. */
  latenciesMs?: Float64Array;
  /** Operations that failed; a scenario with any is not recorded. */
  errors: number;
}

/** One side of a comparison. */
export interface Contestant {
  name: string;
  /** What it is, in words for the table. */
  about: string;
  /** What its rate counts. */
  unit: string;
  watched(): Watched[];
  /** Does its work for about so long. `warmUp` rounds are not counted. */
  run(seconds: number, warmUp: boolean): Promise<Sample>;
}

/** A ratio the scenario is about: rate of `of` by rate of `to`, or p50 where a latency is compared. */
export interface Comparison {
  of: string;
  to: string;
  by: 'rate' | 'p50';
  target?: { atLeast: number };
}

/** A bound on a value of one contestant. */
export interface Bound {
  of: string;
  value: 'rate' | 'p50' | 'p99';
  atLeast?: number;
  below?: number;
}

/** A scenario that is set up and can run. */
export interface Prepared {
  contestants: Contestant[];
  comparisons: Comparison[];
  bounds?: Bound[];
  /** Called once, after the warm-up. */
  warmedUp?(): Promise<void>;
  /** Sentences on what was left out, or on the conditions. */
  notes: string[];
  end(): Promise<void>;
}

/** A table; the first row is its head. */
export type Table = string[][];

/** What a scenario found, ready to be printed or recorded. */
export interface Report {
  results: Table;
  ratios: Table;
  processes: Table;
  notes: string[];
  /** Operations failed: the numbers mean nothing. */
  broken: boolean;
}

interface Named {
  name: string;
  title: string;
  /** What is measured, for the reader of the record. */
  about: string;
}

/** Contestants that take turns. */
export interface Comparing extends Named {
  prepare(run: BenchRun): Promise<Prepared>;
}

/** One long job that is watched from outside; it has no rounds, and `--seconds` and `--profile` mean nothing to it. */
export interface Watching extends Named {
  watch(run: BenchRun): Promise<Report>;
}

export type Scenario = Comparing | Watching;

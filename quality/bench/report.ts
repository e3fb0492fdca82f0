import { markdownTable } from '@canvass/testing';

/** What a figure must be, in its unit. */
export interface Limit {
  atLeast?: number;
  below?: number;
}

/** One number that a scenario found. */
export interface Figure extends Limit {
  what: string;
  value: number;
  /** With its space: `/s`, ` ms`, ` MB`; empty for a ratio. */
  unit: string;
}

export interface Report {
  figures: Figure[];
  notes: string[];
  /** Operations failed: the numbers mean nothing. */
  broken: boolean;
}

const shown = (value: number, unit: string): string =>
  (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(unit === '' ? 2 : 1)) + unit;

/** The figures as a table: found, wanted, and whether that was met. */
export const tableOf = (figures: readonly Figure[]): string =>
  markdownTable([
    ['', 'Found', 'Wanted', ''],
    ...figures.map(({ what, value, unit, atLeast, below }) => {
      const found = shown(value, unit);
      if (atLeast === undefined && below === undefined) return [what, found, '', ''];
      const wanted = atLeast === undefined ? `< ${shown(below!, unit)}` : `≥ ${shown(atLeast, unit)}`;
      const isMet = value >= (atLeast ?? -Infinity) && value < (below ?? Infinity);
      return [what, found, wanted, isMet ? 'met' : '**missed**'];
    }),
  ]);

import { markdownTable } from '@canvass/testing';

/** One number that a scenario found. */
export interface Figure {
  what: string;
  value: number;
  /** With its space: `/s`, ` ms`, ` MB`; empty for a ratio. */
  unit: string;
  /** What it must stay below. */
  below?: number | undefined;
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
    ...figures.map(({ what, value, unit, below }) => {
      const wanted =
        below === undefined ? ['', ''] : [`< ${shown(below, unit)}`, value < below ? 'met' : '**missed**'];
      return [what, shown(value, unit), ...wanted];
    }),
  ]);

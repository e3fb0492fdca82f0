import { availableParallelism } from 'node:os';
import type { Result } from './rounds';
import type { Bound, Comparison, Prepared, Report, Table } from './scenario';
import { pairedRatio } from './statistics';

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const milliseconds = (value: number | null) => (value === null ? '' : value.toFixed(value < 9.95 ? 2 : 1));
const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
const verdict = (met: boolean) => (met ? 'met' : '**missed**');

export function reportOf(results: readonly Result[], prepared: Prepared): Report {
  const byName = (name: string) => results.find(({ contestant }) => contestant.name === name);
  const ratioRows = prepared.comparisons.map((comparison) => ratioRow(comparison, byName));
  const boundRows = (prepared.bounds ?? []).map((bound) => boundRow(bound, byName));
  const failed = results.filter(({ errors }) => errors > 0);
  return {
    results: [
      ['', 'What', 'per second', 'p50 ms', 'p99 ms', 'spread of rounds'],
      ...results.map(({ contestant, rate, rates, p50, p99 }) => [
        contestant.name,
        contestant.about,
        `${whole(rate)} ${contestant.unit}`,
        milliseconds(p50),
        milliseconds(p99),
        `${whole(Math.min(...rates))} – ${whole(Math.max(...rates))}`,
      ]),
    ],
    ratios: [['', 'Found', 'Target', ''], ...ratioRows, ...boundRows],
    processes: [
      ['', 'Process', 'CPU s', 'CPU ms per operation', 'peak MB'],
      ...results.flatMap(({ contestant, usage, operations }) =>
        usage.map(({ name, cpuSeconds, peakBytes }) => [
          contestant.name,
          name,
          cpuSeconds.toFixed(1),
          ((cpuSeconds * 1000) / operations).toFixed(3),
          megabytes(peakBytes),
        ]),
      ),
    ],
    notes: [
      ...prepared.notes,
      `Cores busy on average, of ${availableParallelism()}: ${results.map(busyCores).join(', ')}.`,
      ...failed.map(({ contestant, errors }) => `${errors} operations of "${contestant.name}" failed.`),
    ],
    broken: failed.length > 0,
  };
}

const busyCores = ({ contestant, usage, seconds }: Result) =>
  `${contestant.name} ${(usage.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / seconds).toFixed(2)}`;

type Find = (name: string) => Result | undefined;

function ratioRow({ of, to, by, target }: Comparison, find: Find): string[] {
  const values = (name: string) => (by === 'rate' ? find(name)?.rates : find(name)?.p50s) ?? [];
  const ratio = pairedRatio(values(of), values(to));
  return [
    by === 'rate' ? `${of} ÷ ${to}` : `${of} ÷ ${to}, p50`,
    ratio.toFixed(2),
    target ? `≥ ${target.atLeast}` : '',
    target ? verdict(ratio >= target.atLeast) : '',
  ];
}

function boundRow({ of, value, atLeast, below }: Bound, find: Find): string[] {
  const found = find(of)?.[value] ?? Number.NaN;
  const met = (atLeast === undefined || found >= atLeast) && (below === undefined || found < below);
  const unit = value === 'rate' ? '/s' : ' ms';
  const target = atLeast !== undefined ? `≥ ${whole(atLeast)}${unit}` : `< ${below}${unit}`;
  const shown = value === 'rate' ? whole(found) : milliseconds(found);
  return [`${of}, ${value}`, `${shown}${unit}`, target, verdict(met)];
}

/** For a terminal: columns of equal width. */
export function plainTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  return table
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** As Markdown; numbers are on the right. */
export function markdownTable(table: Table): string {
  const [head = [], ...rows] = table;
  const numeric = head.map((_, column) => rows.every((row) => /^[\d–*<≥.,\s/ms]*$/.test(row[column] ?? '')));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(numeric.map((right) => (right ? '--:' : '---'))), ...rows.map(line)].join('\n');
}

/**
 * The cells that statistics count in. A cell is a number: 0 to 2 for attempts and the ends of deliveries, and
 * above that a phase and a slot of its durations.
 *
 * Slots grow by the factor 1.1: slot n has the durations above 1.1^(n-1) ms up to 1.1^n ms. A percentile is
 * reported as the geometric mean of the bounds of its slot, so it is at most 5 % away from the duration.
 */
export const cells = { attempts: 0, delivered: 1, dead: 2 } as const;

/** Durations of an attempt in the order of their cells, with their columns in `recent_attempts`. */
export const phases = {
  dns: 'dns_ms',
  connect: 'connect_ms',
  tls: 'tls_ms',
  firstByte: 'first_byte_ms',
  total: 'total_ms',
  endToEnd: 'end_to_end_ms',
} as const;
export type Phase = keyof typeof phases;
export const phaseNames = Object.keys(phases) as Phase[];

/** Cells of one phase. */
export const cellsOfPhase = 1024;
const growth = 1.1;
/** Slots are -255 (below a ten-billionth of a millisecond) to 767 (above any age of the universe). */
const slotOffset = 256;

/** Milliseconds in the middle of the slot of a cell, with four digits. */
export function millisecondsOf(cell: number): number {
  const slot = (cell % cellsOfPhase) - slotOffset;
  return Number((growth ** (slot - 0.5)).toPrecision(4));
}

const cellOf = (column: string, n: number) =>
  `case when ${column} is not null then ${(n + 1) * cellsOfPhase + slotOffset} + least(767, greatest(-255,
     ceil(ln(greatest(${column}::float8, 1e-12)) / ln(${growth}::float8))))::integer end`;

/** Columns that identify a row of statistics beside its time. */
export const key = 'tenant_id, endpoint_id, event_name, form_id, outcome';

/**
 * A query of the cells of attempts by minute: the columns of `key`, `starts_at`, `cell` and its number `n`.
 *
 * @param source rows of `recent_attempts`
 */
export const tally = (source: string) => `
  select tenant_id, endpoint_id, event_name, coalesce(form_id, 0) as form_id, outcome,
         date_trunc('minute', started_at, 'UTC') as starts_at, cell::smallint as cell, count(*) as n
  from ${source} a
  cross join lateral unnest(array[
    ${cells.attempts}, case status when 'delivered' then ${cells.delivered} when 'dead' then ${cells.dead} end,
    ${Object.values(phases).map(cellOf).join(',\n    ')}]) cell
  where cell is not null
  group by tenant_id, endpoint_id, event_name, coalesce(form_id, 0), outcome, starts_at, cell`;

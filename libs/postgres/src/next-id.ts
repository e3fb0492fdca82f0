/** The smallest id of a time plus some milliseconds. Times that no id can contain become the nearest one. */
export function idAt(time: Date, plusMs = 0): string {
  const ms = time.getTime() + plusMs - Date.UTC(2026, 0, 1);
  return String(BigInt(Math.min(Math.max(0, ms), 2 ** 41 - 1)) << 22n);
}

/** SQL of the smallest id of a time, an expression of type `timestamptz`, or `timestamp` in UTC. */
export const idAtSql = (time: string): string =>
  `(((extract(epoch from ${time}) * 1000)::bigint - 1767225600000) << 22)`;

/** The origin of an id (`next-id.schema.sql`), which is that of the service that made it. */
export const originOf = (id: string): number => Number((BigInt(id) >> 18n) & 7n);

import { randomFillSync } from 'node:crypto';

/** Random bytes are drawn in bulk: a call for eight of them costs as much as one for thousands. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Of a `traceparent`; null for what is none. */
export function traceOf(header: string): { traceId: string; spanId: string; sampled: boolean } | null {
  const match = form.exec(header.trim());
  if (match === null) return null;
  const [, , traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * The `traceparent` of this process's part of a trace (W3C Trace Context, section 3.2): the caller's trace id with a
 * new parent id, or a new trace when the caller sent none or a wrong one.
 */
export function continueTrace(header: string | undefined): string {
  const match = header === undefined ? null : form.exec(header.trim());
  const [, version, traceId, parentId, flags, rest] = match ?? [];
  const usable =
    match !== null &&
    version !== 'ff' &&
    (version !== '00' || rest === undefined) &&
    !/^0+$/.test(traceId!) &&
    !/^0+$/.test(parentId!);
  return usable ? `00-${traceId}-${randomHex(8)}-${flags}` : `00-${randomHex(16)}-${randomHex(8)}-01`;
}

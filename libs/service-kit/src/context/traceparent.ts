import { randomFillSync } from 'node:crypto';

/** Random bytes are drawn in bulk: a call for eight bytes costs as much as a call for thousands. */
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

/** Parses a `traceparent`; null if it is malformed. */
export function traceOf(header: string): { traceId: string; spanId: string; sampled: boolean } | null {
  const match = form.exec(header.trim());
  if (match === null) return null;
  const [, , traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * The `traceparent` of the part of this process in a trace (W3C Trace Context, section 3.2): the trace id of
 * the caller with a new parent id, or a new trace if the header is missing or malformed.
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

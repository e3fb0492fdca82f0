import { randomBytes } from 'node:crypto';

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

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
  return usable
    ? `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`
    : `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

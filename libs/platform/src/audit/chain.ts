import { createHash } from 'node:crypto';

/** The hash before the first row of a tenant. */
export const noHash = Buffer.alloc(32);

/**
 * SQL text of a row of `audit` as `a`, which its hash covers: a JSON array of all columns that the service
 * wrote, but the request id of the client, which proves nothing. It depends on no setting of the session.
 */
export const canonicalRow = `json_build_array(a.id::text,
    to_char(a.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.action, a.object_type, a.object_id,
    a.actor_provider, a.actor_kind, a.actor_subject, a.address, a.request_id, a.before::text, a.after::text)::text`;

/** The hash of a row: SHA-256 of the hash before it and of its text. */
export const hashOf = (previous: Buffer, row: string): Buffer =>
  createHash('sha256').update(previous).update(row).digest();

import { Problem } from '@canvass/errors';
import { createHash } from 'node:crypto';

const entityTag = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** `7` → `"7"` */
export const etagOf = (revision: string): string => `"${revision}"`;

/**
 * Reads a list of entity tags (RFC 9110, section 8.8.3); undefined if it is malformed. A weak tag counts like
 * a strong one: tags are revisions, and a proxy that compresses answers makes them weak.
 */
function entityTags(header: string): string[] | undefined {
  // A tag may contain commas, so the list is not split at commas.
  const tags: string[] = [];
  for (const part of header.match(/\s*(?:W\/)?"[^"]*"\s*(?:,|$)|[^,]+(?:,|$)/g) ?? []) {
    const match = entityTag.exec(part.replace(/,\s*$/, '').trim());
    if (match === null) return undefined;
    tags.push(match[1]!);
  }
  return tags.length === 0 ? undefined : tags;
}

/** Returns whether the client's copy is current: `If-None-Match` has `revision` or is `*`. */
export function notModified(header: string | undefined, revision: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return entityTags(header)?.includes(revision) ?? false;
}

/** The revisions that a write requires: one of them must be the current revision. Null: no condition. */
export type IfMatch = readonly string[] | null;

/**
 * Parses `If-Match` to the tags of its list. `*` requires only that the resource exists, which the write
 * checks anyway.
 * @throws {Problem} `malformed_request` if it is not a list of entity tags
 */
export function ifMatchOf(header: string | undefined): IfMatch {
  if (header === undefined || header.trim() === '*') return null;
  const tags = entityTags(header);
  if (tags === undefined) {
    throw new Problem('malformed_request', {
      detail: 'If-Match must be a list of entity tags in quotes, as ETag gave them.',
    });
  }
  return tags;
}

/** @throws {Problem} `revision_mismatch` if the write is conditional and `revision` is not in its list */
export function assertIfMatch(ifMatch: IfMatch, revision: string, detail?: string): void {
  if (ifMatch === null || ifMatch.includes(revision)) return;
  throw new Problem('revision_mismatch', detail === undefined ? {} : { detail });
}

/** A revision for a resource without a stored one: a digest of its representation. */
export const digestOf = (view: unknown): string =>
  createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22);

import { Problem } from '@canvass/errors';
import { createHash } from 'node:crypto';

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** `7` → `"7"` */
export const etagOf = (revision: string): string => `"${revision}"`;

/** Splits a list of entity tags (RFC 9110, section 8.8.3); undefined when it is not one. */
function entityTags(header: string): { weak: boolean; value: string }[] | undefined {
  // Commas may stand inside of a tag, so tags are taken one by one.
  const tags: { weak: boolean; value: string }[] = [];
  for (const part of header.match(/\s*(?:W\/)?"[^"]*"\s*(?:,|$)|[^,]+(?:,|$)/g) ?? []) {
    const match = entityTag.exec(part.replace(/,\s*$/, '').trim());
    if (match === null) return undefined;
    tags.push({ weak: match[1] !== undefined, value: match[2]! });
  }
  return tags.length === 0 ? undefined : tags;
}

/** Whether a cached copy is still good: `If-None-Match` names `revision` (weak comparison) or is `*`. */
export function notModified(header: string | undefined, revision: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return entityTags(header)?.some((tag) => tag.value === revision) ?? false;
}

/** The revisions that a write is conditional on: one of them must be the present one. Null: there is no condition. */
export type IfMatch = readonly string[] | null;

/**
 * What `If-Match` asks for: the strong tags of its list. `*` asks only for existence, which the write itself finds out.
 * @throws {Problem} `malformed_request` when it is no list of entity tags; `revision_mismatch` when all are weak, which
 * can never match (strong comparison, RFC 9110, section 13.1.1)
 */
export function ifMatchOf(header: string | undefined): IfMatch {
  if (header === undefined || header.trim() === '*') return null;
  const tags = entityTags(header);
  if (tags === undefined) {
    throw new Problem('malformed_request', {
      detail: 'If-Match must be a list of entity tags in quotes, as ETag gave them.',
    });
  }
  const strong = tags.filter((tag) => !tag.weak).map((tag) => tag.value);
  if (strong.length === 0) throw new Problem('revision_mismatch');
  return strong;
}

/** @throws {Problem} `revision_mismatch` when the write is conditional and `revision` is none of those it is for */
export function assertIfMatch(ifMatch: IfMatch, revision: string, detail?: string): void {
  if (ifMatch === null || ifMatch.includes(revision)) return;
  throw new Problem('revision_mismatch', detail === undefined ? {} : { detail });
}

/** The revision of what has none of its own: a digest of how it is shown, which changes whenever that changes. */
export const digestOf = (view: unknown): string =>
  createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22);

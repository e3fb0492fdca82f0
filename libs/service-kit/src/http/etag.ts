import { Problem } from '@canvass/errors';

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const largestRevision = 2n ** 63n - 1n;

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

/**
 * The revision that a write is conditional on, or null when there is no condition (`*` asks only for existence,
 * which the write itself finds out).
 * @throws {Problem} `malformed_request` when it is not an entity tag or names several; `revision_mismatch` for a tag
 * that can never match: a weak one (strong comparison, RFC 9110, section 13.1.1) or one that is no revision
 */
export function ifMatchOf(header: string | undefined): string | null {
  if (header === undefined || header.trim() === '*') return null;
  const tags = entityTags(header);
  if (tags === undefined) {
    throw new Problem('malformed_request', {
      detail: 'If-Match must be an entity tag in quotes, as ETag gave it.',
    });
  }
  const strong = tags.filter((tag) => !tag.weak && isRevision(tag.value));
  if (strong.length > 1) {
    throw new Problem('malformed_request', { detail: 'If-Match must name one entity tag.' });
  }
  if (strong[0] === undefined) throw new Problem('revision_mismatch');
  return strong[0].value;
}

/** `0` is the revision of what was never saved. */
const isRevision = (value: string): boolean =>
  /^(0|[1-9]\d{0,18})$/.test(value) && BigInt(value) <= largestRevision;

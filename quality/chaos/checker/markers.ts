import type { Entity } from '../records';

/** Returns the marker of a change, found in what an API, an event or a webhook shows of the entity. */
export function markerOf(entity: Entity, shown: Record<string, unknown>): string | null {
  if (entity === 'submission') return submissionMarker(shown['jsonData']);
  if (entity === 'form') return typeof shown['name'] === 'string' ? shown['name'] : null;
  return null;
}

/**
 * Returns the marker within `jsonData`. It is copied: a match of a regular expression refers to the whole
 * text, so that the records of a long run would keep all answers in memory.
 */
export function submissionMarker(jsonData: unknown): string | null {
  const marker = /"m":"([^"]+)"/.exec(String(jsonData))?.[1];
  return marker === undefined ? null : Buffer.from(marker).toString();
}

/** Answers that contain the marker. @param bytes of a further answer */
export const jsonDataOf = (marker: string, bytes = 0): string =>
  JSON.stringify({ m: marker, country: 'IS', ...(bytes > 0 ? { photo: 'x'.repeat(bytes) } : {}) });

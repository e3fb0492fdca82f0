import { Problem } from '@canvass/errors';
import { statement, type Transactor } from '@canvass/postgres';
import type { JobState } from './jobs.sql';

const inPlace = '…';

/** A function that removes texts from strings and from the strings of JSON, but not from within words. */
export function eraserOf(texts: readonly string[]): <T>(value: T) => T {
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const erase = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(found, inPlace);
    if (Array.isArray(value)) return value.map(erase);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, erase(item)]));
  };
  return <T>(value: T) => erase(value) as T;
}

/** SQL: whether the text or JSON has one of `$texts`, in any case of letters. */
export const hasText = (text: string): string =>
  `exists (select from unnest($texts::text[]) t where strpos(lower(${text}), lower(btrim(to_json(t)::text, '"'))) > 0)`;

const find = statement<
  { tenantId: string; texts: readonly string[] },
  { id: string; state: JobState; request: object; reason: string | null }
>(
  'jobs_find_texts',
  `select id, state, request, reason from jobs
   where tenant_id = $tenantId and (${hasText('request::text')} or ${hasText('to_json(reason)::text')}) for update`,
);
const update = statement<{ tenantId: string; id: string; request: string; reason: string | null }>(
  'jobs_erase_texts',
  'update jobs set request = $request::json, reason = $reason where tenant_id = $tenantId and id = $id',
);

/**
 * Removes texts of an erased respondent from the filters and reasons of jobs.
 *
 * @throws {Problem} `conflict` while a job with such a text runs: then it is to be repeated
 */
export async function eraseTexts(db: Transactor, tenantId: string, texts: readonly string[]): Promise<void> {
  const isOpen = await db.transaction(async (tx) => {
    const found = await tx.query(find({ tenantId, texts }));
    const erase = eraserOf(texts);
    for (const { id, state, request, reason } of found)
      if (state !== 'running')
        await tx.query(
          update({ tenantId, id, request: JSON.stringify(erase(request)), reason: erase(reason) }),
        );
    return found.some(({ state }) => state === 'running');
  });
  if (isOpen) throw new Problem('conflict', { detail: 'A job that runs has one of the texts.' });
}

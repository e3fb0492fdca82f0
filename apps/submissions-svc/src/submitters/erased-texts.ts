import { every, type Loop } from '@canvass/async';
import type { ServiceTokens } from '@canvass/auth';
import { statement, type Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';

const everyMs = 5_000;
const timeoutMs = 30_000;

/**
 * Keeps the id of a respondent and the display ids of the next submissions to be erased. Shorter display ids
 * are parts of too many other texts.
 */
export const keepTexts = statement<{ tenantId: string; submitterId: string; ids: readonly string[] }>(
  'erased_texts_keep',
  `insert into erased_texts (tenant_id, texts)
   select $tenantId::bigint, array_agg(text) from (
     select $submitterId::text as text
     union select display_id from submitters where tenant_id = $tenantId and id = $submitterId::bigint
     union select submitter_display_id from submissions where tenant_id = $tenantId and id = any ($ids::bigint[])) t
   where length(text) > 2`,
);

interface Row {
  tenantId: string;
  id: string;
  texts: string[];
}

const nextTexts = statement<void, Row>(
  'erased_texts_next',
  'select tenant_id as "tenantId", id, texts from erased_texts order by id limit 100',
);
const forgetTexts = statement<Omit<Row, 'texts'>>(
  'erased_texts_forget',
  'delete from erased_texts where tenant_id = $tenantId and id = $id',
);

/**
 * Reports the texts of erased respondents to identity-svc, until it has removed them from views, preferences
 * and jobs. A row that fails does not hold up the others. Without an own provider there is no identity-svc.
 *
 * @param feed URL of the feed of revoked tokens, which is beside the operation
 */
export const createErasedTexts = (
  db: Database,
  feed: string | undefined,
  { tokens, logger, name }: { tokens: Pick<ServiceTokens, 'sign'>; logger: Logger; name: string },
): Loop =>
  every(
    everyMs,
    async () => {
      for (const { tenantId, id, texts } of await db.query(nextTexts())) {
        const answer =
          feed &&
          (await fetch(new URL('/internal/erased-texts', feed), {
            method: 'POST',
            headers: { authorization: `Bearer ${tokens.sign(name)}`, 'content-type': 'application/json' },
            body: JSON.stringify({ tenantId, texts }),
            signal: AbortSignal.timeout(timeoutMs),
          }));
        if (!answer || answer.status === 204) await db.query(forgetTexts({ tenantId, id }));
        else logger.debug({ status: answer.status }, 'texts of an erased respondent wait');
      }
    },
    { onError: (error) => logger.warn({ error }, 'failed to report the texts of erased respondents') },
  );

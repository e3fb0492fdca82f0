import type { WebhookSink } from '@canvass/testing';
import type { Client } from 'pg';

/** The message ids that arrived for each submission. */
export function messagesBySubmission({ requests }: WebhookSink): Map<string, Set<string>> {
  const messages = new Map<string, Set<string>>();
  for (const { body, headers } of requests) {
    const { Payload } = JSON.parse(body.toString()) as { Payload: { submissionId: string } };
    const ids = messages.get(Payload.submissionId) ?? new Set();
    messages.set(Payload.submissionId, ids.add(headers['webhook-id']!));
  }
  return messages;
}

/** How many of these submissions do not exist. */
export async function countMissing(session: Client, ids: readonly string[]): Promise<number> {
  const { rows } = await session.query<{ found: number }>(
    'select count(*)::int as found from submissions.submissions where id = any ($1::bigint[])',
    [ids],
  );
  return ids.length - rows[0]!.found;
}

/** What is still to be published or sent. */
export async function countDue(session: Client): Promise<number> {
  const { rows } = await session.query<{ due: number }>(
    `select ((select count(*) from submissions.outbox) + (select count(*) from datalists.outbox)
           + (select count(*) from webhooks.outbox) + (select count(*) from webhooks.waiting))::int as due`,
  );
  return rows[0]!.due;
}

/** Copies of forms and settings that differ from their source, and endpoints without settings. */
export async function countDifferences(session: Client): Promise<number> {
  const { rows } = await session.query<{ differences: number }>(
    `with forms as (
       select tenant_id, id, name from submissions.forms where deleted_at is null
     ), copies as (
       select tenant_id, form_id as id, name from datalists.form_lists where not is_deleted
     ), settings as (
       select tenant_id, scope, scope_id, max(version) as version from submissions.webhook_settings_versions group by 1, 2, 3
     )
     select ((select count(*) from forms full join copies using (tenant_id, id) where forms.name is distinct from copies.name)
           + (select count(*) from settings left join webhooks.settings_current current using (tenant_id, scope, scope_id)
               where current.version is distinct from settings.version)
           + (select count(*) from webhooks.endpoints e where removed_at is null
                and not exists (select from settings s
                                where (s.tenant_id, s.scope, s.scope_id) = (e.tenant_id, e.scope, e.scope_id))))::int as differences`,
  );
  return rows[0]!.differences;
}

import { laneSql } from '@canvass/outbox';
import { Client } from 'pg';

/** The sessions that do nothing; see `openIdleSessions`. */
export interface IdleSessions {
  /** Commits the writer and ends both. */
  commit(): Promise<void>;
}

/**
 * Completes submissions and appends their events, as the service would, and leaves the transaction open. Superuser
 * sessions have none of the services' settings, so no idle timeout ends them.
 */
const complete = `
  with changed as (
    update submissions s
       set is_complete = true, completed_at = now(), completed_revision = revision + 1, collection_status = 'complete',
           token_hash = null, modified_at = now(), revision = revision + 1
     where id = any($1::bigint[])
    returning s.*, submission_json(s) as view
  )
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, data)
  select ${laneSql('c.id')}, 'submission.completed', c.tenant_id, 'submission', c.id, c.form_id, c.revision,
         json_build_object('scope', 'form', 'scopeId', c.form_id::text, 'version', (
           select max(v.version)::text from webhook_settings_versions v
            where v.tenant_id = c.tenant_id and v.scope = 'form' and v.scope_id = c.form_id)),
         c.view
    from changed c`;

/**
 * Two foreign sessions, idle in transaction. The writer has completed `submissionIds` and appended their events, in
 * the lanes that the load uses; its ids are lower than those of everything that is committed from now on. The other has an old
 * snapshot and a transaction id, so that no vacuum may remove what is deleted from now on.
 */
export async function openIdleSessions(
  databaseUrl: string,
  submissionIds: readonly string[],
): Promise<IdleSessions> {
  const [writer, reader] = [new Client(databaseUrl), new Client(databaseUrl)];
  const end = () => Promise.all([writer, reader].map((client) => client.end().catch(() => undefined)));
  for (const client of [writer, reader]) client.on('error', () => undefined); // the next query reports it
  try {
    await Promise.all([writer.connect(), reader.connect()]);
    await writer.query('begin; set local search_path = submissions, extensions');
    const { rowCount } = await writer.query(complete, [submissionIds]);
    if (rowCount !== submissionIds.length)
      throw new Error(`${rowCount} of ${submissionIds.length} submissions completed`);
    await reader.query('begin isolation level repeatable read');
    await reader.query('select pg_current_xact_id(), count(*) from submissions.outbox');
  } catch (error) {
    await end();
    throw error;
  }
  return {
    async commit() {
      await writer.query('commit');
      await reader.query('commit');
      await end();
    },
  };
}

/** Rows that are deleted and cannot be removed yet, of the tables that rows pass through. */
export async function deadRows(databaseUrl: string): Promise<Record<string, number>> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; dead: number }>(
      `select schemaname || '.' || relname as name, sum(n_dead_tup)::int as dead from pg_stat_user_tables
        where (schemaname, relname) in (('submissions', 'outbox'), ('webhooks', 'leases'), ('webhooks', 'deliveries_default'))
        group by 1 order by 1`,
    );
    return Object.fromEntries(rows.map(({ name, dead }) => [name, dead]));
  } finally {
    await client.end();
  }
}

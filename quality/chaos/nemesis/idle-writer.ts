import { setTimeout as sleep } from 'node:timers/promises';
import { laneSql } from '@canvass/outbox';
import type { Client } from 'pg';
import { ownOperation } from '../verdict/idle-writer';
import { withClient } from './database-faults';
import type { Fault } from './faults';

/** Completes submissions and appends their events as the service would, and leaves the transaction open. */
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
 * Two sessions idle in transaction, which no timeout of the services ends. The writer has completed the
 * checker's started submissions and appended their events: their ids are lower than those of everything
 * committed meanwhile. The reader has an old snapshot and a transaction id, so that no row deleted meanwhile
 * can be removed. Then both commit.
 */
export const idleWriter = (ms: number): Fault => ({
  kind: 'idle-writer',
  description: `a writer idle in its transaction for ${ms} ms`,
  resource: 'postgres',
  lastsMs: ms,
  inflict: ({ stack, checker }, record) =>
    withClient(stack.file.databaseUrl, (writer) =>
      withClient(stack.file.databaseUrl, async (reader) => {
        const { started } = checker;
        await writer.query('begin; set local search_path = submissions, extensions');
        const { rowCount } = await writer.query(complete, [started.map(({ id }) => id)]);
        if (rowCount !== started.length)
          throw new Error(`${rowCount} of ${started.length} submissions completed`);
        await reader.query('begin isolation level repeatable read');
        await reader.query('select pg_current_xact_id(), count(*) from submissions.outbox');
        await sleep(ms);
        record.deadRows = await readDeadRows(reader);
        const committedAt = Date.now();
        await writer.query('commit');
        await reader.query('commit');
        for (const { key, formId, revision } of started) {
          checker.records.changes.push({
            tenantId: stack.file.demo.tenantId,
            entity: 'submission',
            operation: ownOperation,
            outcome: 'acknowledged',
            status: null,
            sentAt: record.startedAt,
            doneAt: committedAt,
            key,
            formId,
            marker: null,
            revision: String(revision + 1n),
            events: ['submission.completed'],
          });
        }
      }),
    ),
});

/** Counts deleted rows that cannot be removed yet, in the tables that rows pass through. */
async function readDeadRows(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; dead: number }>(
    `select schemaname || '.' || relname as name, sum(n_dead_tup)::int as dead from pg_stat_user_tables
      where (schemaname, relname) in
            (('submissions', 'outbox'), ('webhooks', 'leases'), ('webhooks', 'deliveries_default'))
      group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, dead }) => [name, dead]));
}

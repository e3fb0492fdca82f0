import { setTimeout as sleep } from 'node:timers/promises';
import { laneSql } from '@canvass/outbox';
import { createForm } from '../checker/forms';
import { endpointCount, pathOf } from '../checker/receivers';
import { settingsOf } from '../checker/settings';
import { Respondent, type Held } from '../checker/submissions';
import { withClient } from '../../session';
import type { Fault } from './faults';

const submissions = 4;

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
 * A writer idle in its transaction, which no timeout of the services ends. It has completed submissions of a form of its
 * own and appended their events: their ids are lower than those of everything committed meanwhile. Then it commits.
 */
export const idleWriter = (ms: number): Fault => ({
  kind: 'idle-writer',
  description: `a writer idle in its transaction for ${ms} ms`,
  resource: 'postgres',
  lastsMs: ms,
  async inflict({ stack, checker: { driver, receivers, records } }, record) {
    const random = driver.randomFor(`idle-writer/${record.startedAt}`);
    const paths = [pathOf(random.between(0, endpointCount - 1))];
    const planOf = (name: string) => ({ isEnabled: name === 'SubmissionCompleted', paths });
    const settings = settingsOf(planOf, receivers.urlOf.bind(receivers), driver.newMarker());
    const formId = await driver.insist(() => createForm(driver, settings, {}));
    const respondent = new Respondent(driver, () => formId, record.startedAt);
    const started: Held[] = [];
    while (started.length < submissions)
      started.push(await driver.insist(() => respondent.create(formId, 'anonymous', {})));
    await withClient(stack.file.databaseUrl, async (writer) => {
      await writer.query('begin; set local search_path = submissions, extensions');
      const { rowCount } = await writer.query(complete, [started.map(({ id }) => id)]);
      if (rowCount !== submissions) throw new Error(`${rowCount} of ${submissions} submissions completed`);
      await sleep(ms);
      await writer.query('commit');
      for (const { key, revision } of started)
        records.changes.push({
          tenantId: driver.tenantId,
          entity: 'submission',
          operation: 'complete in an idle transaction',
          outcome: 'acknowledged',
          status: null,
          sentAt: record.startedAt,
          doneAt: Date.now(),
          key,
          formId,
          marker: null,
          revision: String(revision + 1n),
          events: ['submission.completed'],
        });
    });
  },
});

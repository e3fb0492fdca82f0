import { laneSql } from '@canvass/outbox';
import type { Database } from '@canvass/postgres';
import { tenantOfSubmission } from './legacy-rows.sql';

/** What a group of writers saw. Times in milliseconds. */
export interface WriterReport {
  updates: number;
  creates: number;
  perSecond: number;
  median: number;
  p99: number;
  longest: number;
}

const saveAimed = `changed as (
    update submissions s set current_page = s.current_page + 1, revision = s.revision + 1, modified_at = now()
    from aimed a where s.tenant_id = a.tenant_id and s.id = a.id returning s.id, s.tenant_id, s.form_id, s.revision
  )
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, data)
  select ${laneSql('c.id')}, 'submission.updated', c.tenant_id, 'submission', c.id, c.form_id, c.revision, '{}' from changed c`;

/**
 * Half of the updates go to rows just ahead of the backfill's position, where its locks will be; the others
 * to any row. Like a save of the service: the row, its revision and the outbox row in one statement.
 */
const anyRow = `(select ${tenantOfSubmission('id')} as tenant_id, id from (select (random() * $1)::bigint + 1 as id offset 0) drawn)`;

const updateAhead = `
  with aimed as (
    (select s.tenant_id, s.id
     from (select * from backfill_progress where finished_at is null order by step limit 1) p, lateral (
       select tenant_id, id from submissions
       where (tenant_id, id) >= (p.after_tenant_id, p.after_id + (random() * 2000)::int)
       order by tenant_id, id limit 1) s)
    union all ${anyRow} limit 1
  ), ${saveAimed}`;

const updateAny = `with aimed as ${anyRow}, ${saveAimed}`;

const create = `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, collection_status)
  select tenant_id, id, false, false, 0, '{}', '{}', 'in_progress' from forms where id = 1 + (random() * 999)::int
  and $1::float8 > 0`;

/**
 * Starts writers that write repeatedly with a pause of `restMs`. `stop` ends them and returns their
 * observations.
 */
export function startWriters(
  db: Database,
  options: { writers: number; rows: number; restMs: number },
): { stop(): Promise<WriterReport> } {
  const times: number[] = [];
  let creates = 0;
  let stopped = false;
  const started = performance.now();
  const writer = async (): Promise<void> => {
    for (let turn = 0; !stopped; turn += 1) {
      const kind = turn % 10 === 9 ? create : turn % 2 === 0 ? updateAhead : updateAny;
      const before = performance.now();
      await db.query(kind, [options.rows - 1]);
      times.push(performance.now() - before);
      if (kind === create) creates += 1;
      await new Promise((resolve) => setTimeout(resolve, options.restMs));
    }
  };
  const writers = Promise.all(Array.from({ length: options.writers }, writer));
  return {
    async stop() {
      stopped = true;
      await writers;
      const seconds = (performance.now() - started) / 1_000;
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
      return {
        updates: times.length - creates,
        creates,
        perSecond: times.length / seconds,
        median: at(0.5),
        p99: at(0.99),
        longest: at(1),
      };
    },
  };
}

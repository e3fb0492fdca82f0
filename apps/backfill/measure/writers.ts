import { laneSql } from '@canvass/outbox';
import type { Database } from '@canvass/postgres';

/** What a group of writers saw. Times in milliseconds. */
export interface WriterReport {
  updates: number;
  creates: number;
  perSecond: number;
  median: number;
  p99: number;
  longest: number;
}

/**
 * Half of the updates go to rows just ahead of the backfill's position, where its locks will be; the others
 * to any row. Like a save of the service: the row, its revision and the outbox row in one statement.
 */
const updateAhead = `
  with aimed as (
    select coalesce(
      (select id from submissions where id >= (
        select p.after_id + (random() * 2000)::int from backfill_progress p where p.finished_at is null order by p.step limit 1)
      order by id limit 1),
      (random() * $1)::bigint + 1) as id
  ), ${save('(select id from aimed)')}`;

const updateAny = `with ${save('(select (random() * $1)::bigint + 1)')}`;

function save(id: string): string {
  return `changed as (
    update submissions s set current_page = s.current_page + 1, revision = s.revision + 1, modified_at = now()
    where s.id = ${id} returning s.id, s.tenant_id, s.form_id, s.revision
  )
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, data)
  select ${laneSql('c.id')}, 'submission.updated', c.tenant_id, 'submission', c.id, c.form_id, c.revision, '{}' from changed c`;
}

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

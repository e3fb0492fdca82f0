import type { Client } from 'pg';
import { clockOf, fillTable, idSql, inSteps, mixed, msAt, origins, timeAt } from './generator';
import type { Tenant } from './fill-submissions';
import type { Sizes } from './sizes';

/** Days of the log; the retention is 30. */
const days = 25;
const origin = origins.webhooks;

/**
 * Replaces the log of the relay: messages, their deliveries and the attempts that the statistics count. Of
 * 10,000 deliveries 9,600 were delivered, 200 are dead and 100 cancelled, 50 failed and wait for their next
 * attempt, 50 were not tried yet.
 *
 * @param relay connected as the role of the relay, which makes the days of the log
 */
export async function fillDeliveries(
  database: Client,
  relay: Client,
  { tenantId, formId }: Tenant,
  { deliveries }: Sizes,
): Promise<void> {
  for (const parent of ['messages', 'deliveries']) await relay.query(logDays, [parent, days]);
  await database.query('set search_path = webhooks');
  await database.query(
    'truncate messages, deliveries, waiting, delivery_counts, delivery_count_changes, recent_attempts, attempt_stats',
  );
  const { rows } = await database.query<{ id: string }>(
    'select id from endpoints where tenant_id = $1 and removed_at is null order by id',
    [tenantId],
  );
  const endpoints = rows.map(({ id }) => id);
  if (endpoints.length === 0) throw new Error('The tenant has no endpoints.');
  const clock = clockOf(deliveries, days);
  const id = idSql(msAt(clock, 'n'), origin, 'n');
  // A delivery is made some milliseconds after its event.
  const messageId = idSql(`${msAt(clock, 'n')} - 5`, origins.submissions, 'n');
  const made = timeAt(clock, 'n');
  const values = [tenantId, formId, endpoints];
  const common = `$3::bigint as tenant_id, ${id} as id, ${messageId} as message_id,
    ($5::bigint[])[1 + ${mixed('n', 7_919, 1_000)} % cardinality($5::bigint[])] as endpoint_id,
    (array['submission_completed','submission_completed','submission_completed','form_updated'])[1 + n % 4] as event_name,
    ${idSql(`${msAt(clock, 'n')} - 60000`, origins.submissions, '(n % 50000)')} as entity_id, $4::bigint as form_id,
    ${made} as made, n % 10000 as rest, n`;
  const each = `(select ${common} from generate_series($1::bigint, $2::bigint) n) d`;
  const status = `case when rest < 50 then 'failed' when rest < 150 then 'cancelled' when rest < 350 then 'dead' else 'delivered' end`;
  const outcome = `case when rest < 50 then 'timeout' when rest < 350 then 'http_5xx' else 'success' end`;
  const code = `case when rest < 50 then null when rest < 350 then 503 else 200 end`;

  await fillTable(database, 'messages', () =>
    inSteps(
      database,
      deliveries,
      `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at, created_at)
       select tenant_id, message_id, event_name, 'submission', 'completed',
         convert_to('{"Payload":{"submissionId":"' || entity_id || '","formId":"' || form_id || '","order":"A-' || n
           || '","comment":"' || repeat(md5(n::text), 5) || '"}}', 'UTF8'), made, made
       from ${each}`,
      values,
    ),
  );
  await fillTable(database, 'deliveries', () =>
    inSteps(
      database,
      deliveries,
      `insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status, attempt_count,
         last_outcome, last_status_code, last_attempt_at, occurred_at, created_at, finished_at, attempts)
       select tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, ${status},
         case when rest < 350 then 5 else 1 end, ${outcome}, ${code}, made, made, made,
         case when rest < 50 then null else made + interval '30 milliseconds' end,
         array[json_build_object('number', 1, 'startedAt', made, 'outcome', ${outcome}, 'statusCode', ${code})]
       from ${each} where rest < 9950`,
      values,
    ),
  );
  await fillTable(database, 'waiting', () =>
    inSteps(
      database,
      deliveries,
      `insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, created_at, due_at, attempts, schedule_step)
       select tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, made, made, now() + interval '1 year',
         case when rest < 50 then 5 else 0 end, case when rest < 50 then 5 else 0 end
       from ${each} where rest < 50 or rest >= 9950`,
      values,
    ),
  );
  await database.query('reset search_path');
  await countAttempts(database);
}

/** $1 table, $2 days before today whose partitions are made, if they do not exist. */
const logDays = `
  select create_log_day($1, $1 || to_char(day, '_YYYYMMDD'), first, next)
  from generate_series(date_trunc('day', now() at time zone 'utc') - $2::integer * interval '1 day',
                       date_trunc('day', now() at time zone 'utc') - interval '1 day', interval '1 day') day
  cross join lateral (
    select ((extract(epoch from day) * 1000)::bigint - 1767225600000) << 22 as first,
           ((extract(epoch from day + interval '1 day') * 1000)::bigint - 1767225600000) << 22 as next) ids
  where to_regclass($1 || to_char(day, '_YYYYMMDD')) is null`;

/** Hands the attempts to the job of the relay that counts them, and waits until it has. */
async function countAttempts(database: Client): Promise<void> {
  await database.query(`
    insert into webhooks.recent_attempts (tenant_id, endpoint_id, form_id, started_at, first_byte_ms, total_ms, end_to_end_ms,
      event_name, outcome, status)
    select tenant_id, endpoint_id, form_id, last_attempt_at, 5 + id % 50, 6 + id % 60, 20 + id % 90, event_name, last_outcome, status
    from webhooks.deliveries`);
  for (let left = 1; left > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { rows } = await database.query<{ left: number }>(
      'select count(*)::int as left from (select from webhooks.recent_attempts limit 1) x',
    );
    left = rows[0]!.left;
  }
  await database.query('vacuum (analyze) webhooks.recent_attempts');
  await database.query('vacuum (analyze) webhooks.attempt_stats');
}

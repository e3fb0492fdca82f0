import type { Client as Postgres } from 'pg';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench';
import { generatedCsv } from '../generated-list';
import { createForms, endpointsKnown } from '../setup';
import { StreamClient } from '../stream-client';
import { fillDeliveries } from './fill-deliveries';
import { fillSubmissions, type Tenant } from './fill-submissions';
import { prepareToFill } from './generator';
import { sizesOf, type Sizes } from './sizes';

/** The filled tenant, with ids that questions name. Lists of ids are from the oldest to the newest. */
export interface World extends Tenant {
  sizes: Sizes;
  ids: Record<'submissions' | 'submitters' | 'forms' | 'deliveries' | 'jobs' | 'actions', string[]>;
  /** Creation times of submissions from the oldest to the newest. */
  times: string[];
  submissionId: string;
  submitterIds: string[];
  endpointIds: string[];
  messageIds: string[];
  entityIds: string[];
  listId: string;
  /** A former version of its items. */
  versionNumber: string;
  /** A staged import with errors, and one without. */
  rejectedId: string;
  readyId: string;
  userId: string;
}

/** Endpoints of the tenant. Nothing listens there. */
const endpoints = 20;

/** Makes the tenant's forms and endpoints by the API: what the generator copies and refers to. */
export async function createTenant(bench: Bench): Promise<Tenant> {
  const client = await bench.client();
  const urls = Array.from({ length: endpoints }, (_, n) => `http://127.0.0.1:9/${n}`);
  const [formId = ''] = await createForms(client, [urls]);
  await endpointsKnown(client, endpoints);
  const database = await bench.database();
  const { rows } = await database.query<{ tenant_id: string }>(
    'select tenant_id from submissions.forms where id = $1',
    [formId],
  );
  return { tenantId: rows[0]!.tenant_id, formId };
}

/**
 * Fills the tenant with so many submissions and what belongs to them. Whatever a smaller size left is replaced;
 * each size imports a data list of its own.
 */
export async function fillTenant(
  bench: Bench,
  database: Postgres,
  tenant: Tenant,
  submissions: number,
): Promise<World> {
  const sizes = sizesOf(submissions);
  await prepareToFill(database);
  await fillSubmissions(database, tenant, sizes);
  const relay = await bench.database(await bench.databaseUrlOf('webhook-relay-svc'));
  await fillDeliveries(database, relay, tenant, sizes);
  await fillUsers(database, tenant, sizes);
  await countAll(bench, database, tenant, sizes);
  const list = await importList(bench, sizes.items);
  await database.query('vacuum (analyze) datalists.items');
  await database.query('checkpoint');
  return { ...tenant, sizes, ...list, ...(await idsOf(database, tenant)) };
}

/** Rows after the last range that are counted one by one, see `libs/range-counts`. */
const mostUncounted = 20_000;

/** SQL of the number of rows after the last range of a set. */
const uncounted = (rows: string, ranges: string, group: string) =>
  `(select count(*) from (select from ${rows} where ${group}
      and id >= (select coalesce(max(until_id), 0) from ${ranges} where ${group}) limit ${mostUncounted + 1}) x)`;

/** Reads totals and statistics, and waits until the services have counted because of it (every minute). */
async function countAll(
  bench: Bench,
  database: Postgres,
  { tenantId, formId }: Tenant,
  { submissions }: Sizes,
): Promise<void> {
  const client = await bench.client();
  const page = 'page=1&pageSize=1';
  const reads = [
    `/api/forms/${formId}/submissions?${page}`,
    `/api/submitters?${page}`,
    `/api/webhooks/deliveries?${page}`,
    `/api/forms/${formId}/stats`,
    '/api/stats/overview?bucket=1d',
  ];
  const ofTenant = `tenant_id = ${tenantId}`;
  const ofForm = `${ofTenant} and form_id = ${formId}`;
  const sets = [
    uncounted('submissions.submissions', 'submissions.submission_counts', ofForm),
    uncounted('submissions.submitters', 'submissions.submitter_counts', ofTenant),
    uncounted('webhooks.deliveries', 'webhooks.delivery_counts', ofTenant),
  ];
  for (;;) {
    const { rows } = await database.query<{ most: string; quarters: boolean }>(
      `select greatest(${sets.join(', ')}) as most, exists (
         select from submissions.submission_quarter_forms where ${ofForm} and counted_until = recorded_until) as quarters`,
    );
    const [found] = rows;
    if (Number(found!.most) <= mostUncounted && (found!.quarters || submissions <= 100_000)) return;
    for (const path of reads) await client.get(path).catch(() => undefined); // refused until it is counted
    await sleep(5_000);
  }
}

/** Users by SQL: each password that the API takes costs a hash. */
async function fillUsers(database: Postgres, { tenantId }: Tenant, { users }: Sizes): Promise<void> {
  await database.query(`delete from identity.users where email like 'growth-%'`);
  await database.query(
    `insert into identity.users select r.* from identity.users u
     cross join generate_series(1, $2::int) n
     cross join lateral jsonb_populate_record(u, jsonb_build_object('id', u.id + n, 'email', 'growth-' || n || '@example.com',
       'name', 'Person ' || n)) r
     where u.tenant_id = $1 and u.id = (select min(id) from identity.users where tenant_id = $1)`,
    [tenantId, users],
  );
}

/** Imports a list twice, so that it has a former version, and stages two files more. */
async function importList(
  bench: Bench,
  items: number,
): Promise<Pick<World, 'listId' | 'versionNumber' | 'rejectedId' | 'readyId'>> {
  const { gatewayUrl } = (await bench.stack()).file;
  const client = await bench.client();
  const list = { name: `Growth ${items}`, defaultLocale: 'en', availableLocales: ['de', 'pl'] };
  const { id } = await client.post<{ id: string }>('/api/data-lists', list);
  const imports = new StreamClient(gatewayUrl, client.token);
  await imports.import(id, Readable.from(generatedCsv({ items, seed: 2 })));
  await imports.import(id, Readable.from(generatedCsv({ items })));
  const stage = async (body: string) => {
    const response = await fetch(`${gatewayUrl}/api/data-lists/${id}/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'text/csv' },
      body,
    });
    if (response.status !== 201) throw new Error(`The staged import answered ${response.status}.`);
    return ((await response.json()) as { id: string }).id;
  };
  const versions = `/api/data-lists/${id}/versions?limit=2`;
  const { items: found } = await client.get<{ items: { number: number }[] }>(versions);
  return {
    listId: id,
    versionNumber: String(found[1]!.number),
    rejectedId: await stage(`value,default\n${',A\nb,\n'.repeat(1_000)}`),
    readyId: await stage([...generatedCsv({ items: 1_000 })].join('')),
  };
}

/** The shares of a list at which ids are taken: the last page, the middle and the newest. */
const shares = [0, 0.4, 0.45, 0.5, 0.55, 0.6, 1];

async function idsOf(database: Postgres, { tenantId, formId }: Tenant) {
  const column = async (sql: string, values: unknown[] = [tenantId]) =>
    (await database.query<{ value: string }>(sql, values)).rows.map(({ value }) => value);
  /** Ids at the shares, without counting rows before them: ids grow evenly with the rows. */
  const spread = async (table: string, more = 'true'): Promise<string[]> => {
    const [first, last] = await column(
      `select value::text from (select min(id), max(id) from ${table} where tenant_id = $1) x, unnest(array[min, max]) value`,
    );
    const found: string[] = [];
    for (const share of shares) {
      // The oldest page begins after the first fifty.
      const at =
        BigInt(first!) + ((BigInt(last!) - BigInt(first!)) * BigInt(Math.round(share * 1000))) / 1000n;
      const [id] = await column(
        `select id::text as value from ${table} where tenant_id = $1 and id >= $2 and ${more} order by id
         offset ${share === 0 ? 50 : 0} limit 1`,
        [tenantId, at],
      );
      if (id !== undefined) found.push(id);
    }
    return found;
  };
  const ofForm = `form_id = ${formId} and deleted_at is null`;
  const submissions = await spread('submissions.submissions', ofForm);
  return {
    ids: {
      submissions,
      submitters: await spread('submissions.submitters'),
      forms: await spread('submissions.forms'),
      deliveries: await spread('webhooks.deliveries'),
      jobs: await spread('submissions.jobs'),
      actions: await spread('submissions.audit'),
    },
    times: await column(
      `select to_char(date_trunc('milliseconds', created_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as value
       from submissions.submissions where tenant_id = $1 and id = any($2) order by id`,
      [tenantId, submissions],
    ),
    submissionId: submissions[3]!,
    submitterIds: await column(
      `select submitter_id::text as value from submissions.submissions
       where tenant_id = $1 and form_id = $2 and submitter_id is not null and id >= $3 order by id limit 20`,
      [tenantId, formId, submissions[3]],
    ),
    endpointIds: await column(
      'select id::text as value from webhooks.endpoints where tenant_id = $1 and removed_at is null order by id',
    ),
    messageIds: await column(
      'select message_id::text as value from webhooks.deliveries where tenant_id = $1 order by id limit 20',
    ),
    entityIds: await column(
      'select entity_id::text as value from webhooks.deliveries where tenant_id = $1 order by id limit 20',
    ),
    userId: (
      await column('select id::text as value from identity.users where tenant_id = $1 order by id limit 1')
    )[0]!,
  };
}

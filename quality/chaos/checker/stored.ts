import { Client } from 'pg';
import type { FaultRecord, StoredEntity } from '../records';
import type { CheckerSetting } from './checker-setting';
import { submissionMarker } from './markers';

/** What the services hold at the end, read from the database by a superuser. */
export interface Stored {
  entities: StoredEntity[];
  /** Endpoints by event type (`submission.completed`), of each version of webhook settings: key `<scope>/<scope id>/<version>`. */
  versions: Map<string, Record<string, readonly StoredEndpoint[]>>;
  /** Status of the relay's deliveries: `<hook id> <endpoint id>`. */
  deliveries: Map<string, string>;
  /** Copies that differ from their source, each in a sentence. */
  copyFaults: string[];
  /** What became of deliveries that were leased when a sender was killed, by it or by its twin. */
  leased: LeasedAtKill[];
}

/** Times are milliseconds since 1970. */
export interface LeasedAtKill {
  deliveryId: string;
  killedAt: number;
  leaseUntil: number;
  /** When the first attempt began that was recorded after it was leased; null when there was none. */
  attemptedAt: number | null;
  status: string;
}

/** What one version of settings says of an endpoint. Its id stays when its address changes. */
interface StoredEndpoint {
  id: string;
  path: string;
  isEnabled: boolean;
}

const eventTypes: Record<string, string> = {
  FormCreated: 'form.created',
  FormUpdated: 'form.updated',
  FormEnabledStateChanged: 'form.enabled_state_changed',
  FormDeleted: 'form.deleted',
  SubmissionCompleted: 'submission.completed',
  SubmissionCollectionStatusChanged: 'submission.collection_status_changed',
};

export async function readStored(setting: CheckerSetting, faults: readonly FaultRecord[]): Promise<Stored> {
  const client = new Client({ connectionString: setting.databaseUrl });
  await client.connect();
  try {
    const entities = await readEntities(client);
    const leased: LeasedAtKill[] = [];
    for (const fault of faults) leased.push(...(await readLeased(client, fault)));
    return {
      entities,
      versions: await readVersions(client),
      deliveries: await readDeliveries(client),
      copyFaults: await readCopyFaults(client),
      leased,
    };
  } finally {
    await client.end();
  }
}

interface EntityRow {
  entity: StoredEntity['entity'];
  id: string;
  form_id: string | null;
  revision: string;
  marker: string | null;
  deleted: boolean;
}

async function readEntities(client: Client): Promise<StoredEntity[]> {
  const { rows } = await client.query<EntityRow>(
    `select 'submission' as entity, id::text, form_id::text, revision::text, json_data as marker, deleted_at is not null as deleted
       from submissions.submissions
     union all
     select 'form', id::text, id::text, revision::text, name, deleted_at is not null from submissions.forms
     union all
     select 'tenant', tenant_id::text, null, revision::text, null, false from submissions.tenant_settings
     union all
     select 'datalist', l.id::text, null, l.revision::text, i.value, false
       from datalists.data_lists l
       left join datalists.items i
         on i.tenant_id = l.tenant_id and i.list_id = l.id and i.version = l.items_version and i.position = 0`,
  );
  return rows.map(({ entity, id, form_id: formId, revision, marker, deleted }) => ({
    entity,
    id,
    formId,
    revision,
    marker: entity === 'submission' ? submissionMarker(marker) : marker,
    deleted,
  }));
}

type EventsOfVersion = Record<
  string,
  { isEnabled: boolean; endpoints: { endpointId: string; url: string }[] }
>;

async function readVersions(client: Client): Promise<Stored['versions']> {
  const { rows } = await client.query<{ key: string; events: EventsOfVersion }>(
    `select scope || '/' || scope_id || '/' || version as key, events from submissions.webhook_settings_versions`,
  );
  const endpointsOf = (events: EventsOfVersion) =>
    Object.fromEntries(
      Object.entries(events).map(([name, { isEnabled, endpoints }]) => [
        eventTypes[name] ?? name,
        endpoints.map(({ endpointId, url }) => ({ id: endpointId, path: new URL(url).pathname, isEnabled })),
      ]),
    );
  return new Map(rows.map(({ key, events }) => [key, endpointsOf(events)]));
}

async function readDeliveries(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ message_id: string; endpoint_id: string; status: string }>(
    `select message_id::text, endpoint_id::text, status from webhooks.deliveries`,
  );
  return new Map(
    rows.map(({ message_id: id, endpoint_id: endpoint, status }) => [`${id} ${endpoint}`, status]),
  );
}

/**
 * Looks for attempts from the lease on, not from the kill on: a result that was being recorded at that moment is dated by the
 * beginning of its statement.
 */
async function readLeased(client: Client, { startedAt, leased = [] }: FaultRecord): Promise<LeasedAtKill[]> {
  if (leased.length === 0) return [];
  const { rows } = await client.query<{ id: string; status: string; until: number; began: number | null }>(
    `select d.id::text, d.status, until, extract(epoch from next.started_at)::float8 * 1000 as began
       from unnest($1::bigint[], $2::float8[], $3::float8[]) as l (id, leased_at, until)
       join webhooks.deliveries d on d.id = l.id
       left join lateral (
         select a.started_at from webhooks.attempts a
          where a.tenant_id = d.tenant_id and a.delivery_id = d.id
            and a.started_at + a.total_ms * interval '1 millisecond' > to_timestamp(leased_at / 1000)
          order by a.id limit 1) next on true`,
    [
      leased.map(({ deliveryId }) => deliveryId),
      leased.map(({ leasedAt }) => leasedAt),
      leased.map(({ leaseUntil }) => leaseUntil),
    ],
  );
  return rows.map(({ id, status, until, began }) => ({
    deliveryId: id,
    killedAt: startedAt,
    leaseUntil: until,
    attemptedAt: began,
    status,
  }));
}

/** Each copy of somebody else's knowledge against its source. */
async function readCopyFaults(client: Client): Promise<string[]> {
  const access = await client.query<{ id: string; source: string | null; copy: string | null }>(
    `select coalesce(f.id, c.form_id)::text as id,
            concat_ws(' ', f.revision, f.name, f.is_enabled, f.deleted_at is not null, f.data_list_ids::text) as source,
            concat_ws(' ', c.revision, c.name, c.is_enabled, c.is_deleted, c.list_ids::text) as copy
       from submissions.forms f
       full join datalists.form_lists c on c.tenant_id = f.tenant_id and c.form_id = f.id
      where (f.revision, f.name, f.is_enabled, f.deleted_at is not null, f.data_list_ids)
            is distinct from (c.revision, c.name, c.is_enabled, c.is_deleted, c.list_ids)`,
  );
  const settings = await client.query<{
    scope: string;
    scope_id: string;
    source: string | null;
    copy: string | null;
  }>(
    `select scope, scope_id::text, source.version::text as source, copy.version::text as copy
       from (select tenant_id, scope, scope_id, max(version) as version
               from submissions.webhook_settings_versions group by 1, 2, 3) source
       full join webhooks.settings_current copy using (tenant_id, scope, scope_id)
      where source.version is distinct from copy.version`,
  );
  return [
    ...access.rows.map(
      ({ id, source, copy }) => `form access of form ${id}: source "${source}", copy "${copy}"`,
    ),
    ...settings.rows.map(
      ({ scope, scope_id: id, source, copy }) =>
        `settings of ${scope} ${id}: version ${source}, copy ${copy}`,
    ),
  ];
}

import { withClient } from '@canvass/infra';
import type { Key } from '../records';
import { submissionMarker } from './tap';

/** What the services hold at the end, read by a superuser. */
export interface Stored {
  entities: StoredEntity[];
  /** Endpoints of which the relay has reported something; the revision is the number of reports. */
  endpoints: Pick<StoredEntity, 'key' | 'revision'>[];
  /** Deliveries that the relay has given up; each has been reported. */
  dead: Key[];
  /**
   * Endpoints by event type (`submission.completed`) of each version of settings: `<scope>/<scope
   * id>/<version>`.
   */
  versions: Map<string, Record<string, readonly StoredEndpoint[]>>;
  /** Status of the relay's deliveries: `<hook id> <endpoint id>`. */
  deliveries: Map<string, string>;
  /** Endpoints whose slots are taken although none of their deliveries is in flight, one sentence each. */
  lostSlots: string[];
  /** Respondents with more than one submission of a form that takes one, one sentence each. */
  overGate: string[];
  /** Copies that differ from their source, one sentence each. */
  staleCopies: string[];
}

export interface StoredEntity {
  key: Key;
  revision: string;
  marker: string | null;
  deleted: boolean;
}

/** An endpoint in one version of settings. With another address it has another id. */
export interface StoredEndpoint {
  id: string;
  path: string;
  isEnabled: boolean;
}

/** Names of webhook events in settings by event type. */
export const settingsNames: Record<string, string> = {
  'form.created': 'FormCreated',
  'form.updated': 'FormUpdated',
  'form.enabled_state_changed': 'FormEnabledStateChanged',
  'form.deleted': 'FormDeleted',
  'submission.completed': 'SubmissionCompleted',
  'submission.collection_status_changed': 'SubmissionCollectionStatusChanged',
  'submission.saved': 'SubmissionUpdated',
  'submission.status_changed': 'SubmissionStatusChanged',
  'submission.deleted': 'SubmissionDeleted',
  'submitter.erased': 'SubmitterErased',
};

/** Reads what is compared with the records. */
export function readStored(databaseUrl: string): Promise<Stored> {
  return withClient(databaseUrl, async (client) => {
    const read: Read = async (sql) => (await client.query(sql)).rows as never;
    const statuses = await read<{ key: string; status: string }>(
      `select message_id || ' ' || endpoint_id as key, status from webhooks.delivery_log`,
    );
    return {
      entities: await readEntities(read),
      endpoints: await read(
        `select 'endpoint ' || id as key, revision::text from webhooks.endpoints where revision > 0`,
      ),
      dead: (
        await read<{ key: Key }>(
          `select 'delivery ' || id as key from webhooks.delivery_log where status = 'dead' and entity_id <> 0`,
        )
      ).map(({ key }) => key),
      versions: await readVersions(read),
      deliveries: new Map(statuses.map(({ key, status }) => [key, status])),
      lostSlots: (await read<{ lost: string }>(lostSlots)).map(({ lost }) => lost),
      overGate: (await read<{ over: string }>(overGate)).map(({ over }) => over),
      staleCopies: (await read<{ stale: string }>(staleCopies)).map(({ stale }) => stale),
    };
  });
}

type Read = <T>(sql: string) => Promise<T[]>;

async function readEntities(read: Read): Promise<StoredEntity[]> {
  const rows = await read<StoredEntity>(
    `select 'submission ' || id as key, revision::text, json_data as marker, deleted_at is not null as deleted
       from submissions.submissions
     union all
     select 'form ' || id, revision::text, name, deleted_at is not null from submissions.forms
     union all
     select 'tenant ' || tenant_id, revision::text, null, false from submissions.tenant_settings
     union all
     select 'datalist ' || l.id, l.revision::text, i.value, false
       from datalists.data_lists l
       left join datalists.items i
         on i.tenant_id = l.tenant_id and i.list_id = l.id and i.version = l.items_version and i.position = 0`,
  );
  return rows.map((row) =>
    row.key.startsWith('submission') ? { ...row, marker: submissionMarker(row.marker) } : row,
  );
}

interface StoredEventSettings {
  isEnabled: boolean;
  endpoints: { endpointId: string; url: string }[];
}

async function readVersions(read: Read): Promise<Stored['versions']> {
  const rows = await read<{ key: string; events: Record<string, StoredEventSettings> }>(
    `select scope || '/' || scope_id || '/' || version as key, events from submissions.webhook_settings_versions`,
  );
  const endpointsOf = (settings: StoredEventSettings | undefined) =>
    (settings?.endpoints ?? []).map(({ endpointId: id, url }) => ({
      id,
      path: new URL(url).pathname,
      isEnabled: settings?.isEnabled ?? false,
    }));
  return new Map(
    rows.map(({ key, events }) => {
      const byType = Object.entries(settingsNames).map(([type, name]) => [type, endpointsOf(events[name])]);
      return [key, Object.fromEntries(byType) as Record<string, StoredEndpoint[]>];
    }),
  );
}

const lostSlots = `select format('endpoint %s has %s deliveries in flight, but %s leases', e.id, e.in_flight, leased) as lost
   from webhooks.endpoints e
   cross join lateral (
     select count(*) as leased from webhooks.waiting w
      where w.tenant_id = e.tenant_id and w.endpoint_id = e.id and w.lease is not null) w
  where e.in_flight <> leased`;

const overGate = `select format('form %s takes one submission of submitter %s, but has %s', form_id, submitter_id, count(*)) as over
   from submissions.submissions s
   join submissions.forms f on f.tenant_id = s.tenant_id and f.id = s.form_id
  where f.limit_one_per_user and s.submitter_id is not null and s.deleted_at is null and not s.is_test_submission
  group by form_id, submitter_id having count(*) > 1`;

/**
 * Compares each copy of another service's data with its source. A resync does not send deleted forms: their
 * copy is deleted, too, or absent, and has an earlier state.
 */
const staleCopies = `select format('form access of form %s: source "%s", copy "%s"', coalesce(f.id, c.form_id),
               concat_ws(' ', f.revision, f.name, f.is_enabled, f.deleted_at is not null, f.data_list_ids::text),
               concat_ws(' ', c.revision, c.name, c.is_enabled, c.is_deleted, c.list_ids::text)) as stale
   from submissions.forms f
   full join datalists.form_lists c on c.tenant_id = f.tenant_id and c.form_id = f.id
  where case when f.deleted_at is not null then c.is_deleted is false
             else (f.revision, f.name, f.is_enabled, false, f.data_list_ids)
                  is distinct from (c.revision, c.name, c.is_enabled, c.is_deleted, c.list_ids) end
 union all
 select format('settings of %s %s: version %s, copy %s', scope, scope_id, source.version, copy.version)
   from (select tenant_id, scope, scope_id, max(version) as version
           from submissions.webhook_settings_versions group by 1, 2, 3) source
   full join webhooks.settings_current copy using (tenant_id, scope, scope_id)
  where source.version is distinct from copy.version`;

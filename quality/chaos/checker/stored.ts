import { webhookEvents } from '@canvass/contracts';
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
export const settingsNames: Record<string, string> = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, { settingsName }]) => [type, settingsName]),
);

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

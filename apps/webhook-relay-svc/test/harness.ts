import {
  exchanges,
  serviceTopology,
  submissionExample,
  type EventEnvelope,
  type EventType,
  type ResolvedWebhookEndpoint,
  type SettingsRef,
  type WebhookEventName,
} from '@canvass/contracts';
import { createBroker, type Broker } from '@canvass/messaging';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger, startService, type RunningService } from '@canvass/service-kit';
import {
  eventually,
  testDatabase,
  testIssuer,
  testVhost,
  type TestDatabase,
  type TestIssuer,
} from '@canvass/testing';
import { migrations } from '../migrations';
import { configSchema, type RelaySettings } from '../src/config';
import { service as relayService } from '../src/service';
import { internalSecret, startOwner, type Owner } from './owner';

let lastId = BigInt(Date.now() - Date.UTC(2026, 0, 1)) << 22n;
/** Ids as the services make them: they grow and no two tests share one. */
export const newId = (): string => String((lastId += 1n << 18n));

export interface RelayOptions {
  deliverToJobQueue?: boolean;
  webHooks?: Partial<RelaySettings['WebHooks']>;
  encryptionKeys?: string[];
  mail?: RelaySettings['Mail'];
}

/**
 * Everything around the relays of one spec file: database, broker, owner of the settings, identity provider.
 */
export interface Harness {
  db: Database;
  database: TestDatabase;
  broker: Broker;
  owner: Owner;
  issuer: TestIssuer;
  vhost: Awaited<ReturnType<typeof testVhost>>;
  relay(options?: RelayOptions): Promise<RunningService>;
  /** Makes due what waits for the tenant and is not in flight. */
  makeDue(tenantId: string): Promise<void>;
  /** Deliveries in flight, of one tenant or all. */
  leased(tenantId?: string): Promise<number>;
  settings(options: RelayOptions): RelaySettings;
  publish(envelope: EventEnvelope | Record<string, unknown>, routingKey?: string): Promise<void>;
  close(): Promise<void>;
}

/** @param atClock the database's URL for everybody, where a test sets its clock */
export async function startHarness({
  atClock,
}: { atClock?: (url: string) => Promise<string> } = {}): Promise<Harness> {
  const [database, vhost, owner, issuer] = await Promise.all([
    testDatabase({
      migrations,
      schema: 'webhooks',
      prepare: async (url) => void (await migrate(url, migrations)),
    }),
    testVhost(),
    startOwner(),
    testIssuer(),
  ]);
  const databaseUrl = (await atClock?.(database.url)) ?? database.url;
  const broker = createBroker(
    { Url: vhost.url },
    { name: 'test', topology: serviceTopology, logger: silentLogger },
  );
  const db = createDatabase({ Url: databaseUrl, PoolMax: 4 });
  const relays: RunningService[] = [];
  await broker.whenConnected();

  const settings = ({
    deliverToJobQueue = false,
    webHooks = {},
    mail = {},
    encryptionKeys = [`k1:${Buffer.alloc(32, 7).toString('base64')}`],
  }: RelayOptions): RelaySettings => {
    const { value, error } = configSchema.validate({
      Service: {
        Hosting: { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0 },
        Database: { Url: databaseUrl, PoolMax: 8 },
        Broker: { Url: vhost.url },
        Auth: {
          Own: {
            Issuer: issuer.issuer,
            Audience: issuer.audience,
            JwksUri: issuer.jwksUri,
            RevocationsUri: issuer.revocationsUri,
          },
        },
        Internal: { Secret: internalSecret },
        Encryption: { Keys: encryptionKeys },
        Mail: mail,
        Settings: { BaseUrl: owner.url },
        Outbox: { DeliverToJobQueue: deliverToJobQueue },
        WebHooks: {
          AllowedNetworks: ['127.0.0.0/8'],
          RetryScheduleSeconds: [0.3, 0.3, 0.3],
          SweepIntervalMs: 50,
          ...webHooks,
        },
      },
    });
    if (error) throw error;
    return value.Service;
  };

  return {
    db,
    database,
    broker,
    owner,
    issuer,
    vhost,
    settings,
    async relay(options = {}) {
      const config = settings(options);
      const service = await startService({
        service: relayService,
        config,
        logger: silentLogger,
      });
      relays.push(service);
      await service.ready;
      return service;
    },
    async makeDue(tenantId) {
      await db.transaction(async (tx) => {
        await tx.query(
          `update endpoints set first_due = now() where tenant_id = $1
             and id in (select endpoint_id from waiting where tenant_id = $1 and lease is null)`,
          [tenantId],
        );
        await tx.query('update waiting set due_at = now() where tenant_id = $1 and lease is null', [
          tenantId,
        ]);
      });
    },
    async leased(tenantId) {
      const [row] = await db.query<{ leased: number }>(
        `select count(*)::integer as leased from waiting
         where lease is not null and ($1::bigint is null or tenant_id = $1)`,
        [tenantId],
      );
      return row!.leased;
    },
    async publish(envelope, routingKey = String(envelope['type' as keyof typeof envelope])) {
      const message = {
        exchange: exchanges.events,
        routingKey,
        messageId: String(envelope['id' as keyof typeof envelope]),
        body: Buffer.from(JSON.stringify(envelope)),
      };
      // Like the outbox: at least once. A loaded broker may confirm late.
      // No `expect`: proofs run without jest.
      await eventually(async () => (await broker.publish([message])).every(({ ok }) => ok), {
        timeoutMs: 90_000,
      });
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.stop('test over')));
      await broker.close();
      await db.close();
      await Promise.all([owner.close(), issuer.close(), vhost.drop()]);
      await database.drop();
    },
  };
}

/** A tenant of its own with webhook settings at tenant level. */
export interface Tenant {
  tenantId: string;
  formId: string;
  ref: SettingsRef;
  /** Puts a new version with these endpoints for the event, and gives its reference. */
  configure(event: WebhookEventName, endpoints: ResolvedWebhookEndpoint[], isEnabled?: boolean): SettingsRef;
  /** An event of a submission of this tenant. */
  event(overrides?: Partial<EventEnvelope>): EventEnvelope;
  /** The event of the newest settings. */
  settingsChanged(): EventEnvelope;
}

export function newTenant(owner: Owner): Tenant {
  const tenantId = newId();
  const formId = newId();
  let ref: SettingsRef = { scope: 'tenant', scopeId: tenantId, version: '0' };
  const envelope = <T extends EventType>(type: T, data: object): EventEnvelope => ({
    id: newId(),
    type,
    schemaVersion: 1,
    tenantId,
    entity: 'submission',
    entityId: newId(),
    formId,
    revision: '2',
    occurredAt: new Date().toISOString(),
    settings: ref,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data: data as EventEnvelope['data'],
  });
  return {
    tenantId,
    formId,
    get ref() {
      return ref;
    },
    configure(event, endpoints, isEnabled = true) {
      ref = { ...ref, version: newId() };
      owner.put({ tenantId, ...ref, events: { [event]: { isEnabled, endpoints } } });
      return ref;
    },
    event(overrides = {}) {
      const made = envelope('submission.completed', {});
      return { ...made, data: { ...submissionExample, id: made.entityId, formId }, ...overrides };
    },
    settingsChanged: () => ({
      ...envelope('tenant.webhook_settings_changed', ref),
      entity: 'tenant',
      entityId: tenantId,
      formId: null,
      settings: null,
    }),
  };
}

export const endpointAt = (
  url: string,
  endpointId = newId(),
  apiKey?: { header: string; apiKey: string },
): ResolvedWebhookEndpoint => ({
  endpointId,
  url,
  authentication: apiKey ? { type: 'ApiKey', ...apiKey } : { type: 'None' },
});

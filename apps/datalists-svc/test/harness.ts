import { exchanges, formExample, queues, type EventEnvelope, type FormView } from '@canvass/contracts';
import { migrate } from '@canvass/postgres';
import { silentLogger, startService, type RunningService } from '@canvass/service-kit';
import {
  eventually,
  testDatabase,
  testIssuer,
  testVhost,
  type TestDatabase,
  type TestIssuer,
} from '@canvass/testing';
import amqp from 'amqplib';
import { migrations } from '../migrations';
import { configSchema } from '../src/config';
import { service as dataListsService } from '../src/service';
import { client, type Client } from './client';

/** A running datalists-svc with a database, a virtual host and token issuers of its own. */
export interface Harness {
  service: RunningService;
  database: TestDatabase;
  own: TestIssuer;
  /** Signs form-access tokens, as submissions-svc does. */
  forms: TestIssuer;
  /** A client of a tenant that no other test uses. */
  newTenant(roles?: string[]): Client;
  clientOf(tenantId: string, roles: string[]): Client;
  formToken(claims: {
    tenantId: string;
    formId: string;
    lists: string[];
    revision?: string;
    isAnonymous?: boolean;
    isPreview?: boolean;
    /** The one to whom it was issued. */
    holder?: object;
  }): string;
  /** Publishes a form event as submissions-svc's outbox would. */
  publishForm(
    type: string,
    form: Partial<FormView> & { id: string },
    tenantId: string,
    revision: string,
    eventId?: string,
  ): void;
  /** Events that the service published, in the order of arrival. */
  events: EventEnvelope[];
  close(): Promise<void>;
}

export const newId = (() => {
  let last = BigInt(Date.now()) * 1000n + BigInt(process.pid % 1000) * 1_000_000_000_000_0n;
  return () => String(++last);
})();

/** Signs the tokens of calling services. */
export const internalSecret = 'a secret that only the specs of this service know';

export const migratedDatabase = (): Promise<TestDatabase> =>
  testDatabase({
    migrations,
    schema: 'datalists',
    prepare: async (url) => void (await migrate(url, migrations)),
  });

export async function startHarness(
  limits: Record<string, number> = {},
  quotas: Record<string, number> = {},
): Promise<Harness> {
  const [database, vhost, own, forms] = await Promise.all([
    migratedDatabase(),
    testVhost(),
    testIssuer(),
    testIssuer({ issuer: 'canvass-forms', audience: 'canvass-form-access' }),
  ]);
  const config = configSchema.validate({
    Service: {
      Hosting: { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0 },
      Database: { Url: database.url },
      Broker: { Url: vhost.url },
      Auth: { Own: { JwksUri: own.jwksUri, RevocationsUri: own.revocationsUri } },
      Internal: { Secret: internalSecret },
      FormAccess: { JwksUri: forms.jwksUri },
      Limits: limits,
      Quotas: quotas,
    },
  });
  if (config.error !== undefined) throw config.error;
  const { Service } = config.value;
  const service = await startService({
    service: dataListsService,
    config: Service,
    logger: silentLogger,
  });
  await service.ready;

  const connection = await amqp.connect(vhost.url);
  // The service is ready before its broker connection, and an event without a queue would be lost.
  await eventually(
    async () => {
      const probe = await connection.createChannel();
      probe.on('error', () => undefined); // "no such queue" closes it
      const { consumerCount } = await probe.checkQueue(queues.dataListForms);
      await probe.close();
      if (consumerCount === 0) throw new Error('the queue of form events has no consumer yet');
    },
    { timeoutMs: 60_000 },
  );
  const channel = await connection.createChannel();
  const events: EventEnvelope[] = [];
  const declared = channel.assertExchange(exchanges.events, 'topic', { durable: true });
  await declared;
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchanges.events, 'datalist.*');
  await channel.bindQueue(queue, exchanges.events, 'import.*');
  await channel.consume(
    queue,
    (message) => {
      if (message) events.push(JSON.parse(message.content.toString()) as EventEnvelope);
    },
    { noAck: true },
  );

  const clientOf = (tenantId: string, roles: string[]) =>
    client(service.url, own.token({ tid: tenantId, roles }), tenantId);
  return {
    service,
    database,
    own,
    forms,
    events,
    clientOf,
    newTenant: (roles = ['Admin']) => clientOf(newId(), roles),
    formToken: ({ tenantId, formId, lists, revision, isAnonymous, isPreview, holder }) =>
      forms.token({
        tid: tenantId,
        rid: formId,
        lists,
        ...(revision && { rev: revision }),
        ...(isAnonymous && { anon: true }),
        ...(isPreview && { preview: true }),
        ...(holder && { holder }),
      }),
    publishForm(type, form, tenantId, revision, eventId = newId()) {
      const envelope = {
        id: eventId,
        type,
        schemaVersion: 1,
        tenantId,
        entity: 'form',
        entityId: form.id,
        formId: form.id,
        revision,
        occurredAt: new Date().toISOString(),
        settings: null,
        traceparent: null,
        data:
          type === 'form.webhook_settings_changed'
            ? { scope: 'form', scopeId: form.id, version: '1' }
            : { ...formExample, name: 'A form', dataListIds: [], revision, ...form },
      };
      channel.publish(exchanges.events, type, Buffer.from(JSON.stringify(envelope)), {
        messageId: envelope.id,
      });
    },
    async close() {
      await connection.close();
      await service.stop();
      await Promise.all([own.close(), forms.close()]);
      await Promise.all([database.drop(), vhost.drop()]);
    },
  };
}

import { createSecretBox } from '@canvass/auth';
import { createDatabase, migrate } from '@canvass/postgres';
import { eventually, expectMalformedEvents, webhookSink, type WebhookSink } from '@canvass/testing';
import { migrations } from '../migrations';
import { credentialsContext, signingSecretContext } from '../src/endpoints';
import { startHarness, newId, newTenant, type Harness } from './harness';

/** The schema of the first release: what was written under it must be sent by every build there will be. */
const first = '0001_schema';
const rest = migrations.slice(migrations.findIndex(({ name }) => name === first) + 1);

const [tenantId, endpointId, messageId] = [newId(), newId(), newId()];
const place = { tenantId, endpointId };
const credentials = JSON.stringify({
  apiKey: { header: 'X-Key', value: 'the key' },
  headers: {},
  oauth2: null,
  clientCertificate: null,
});
const body = `{"Id":"${messageId}","EventName":"submission_completed"}`;

let world: Harness;
let sink: WebhookSink;
beforeAll(async () => {
  sink = await webhookSink();
  world = await startHarness({
    async atClock(url) {
      await migrate(url, migrations, { direction: 'down', to: first });
      const box = createSecretBox([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);
      const db = createDatabase({ Url: url, PoolMax: 1 });
      const rows: [sql: string, values: unknown[]][] = [
        [
          `insert into settings_versions (tenant_id, scope, scope_id, version) values ($1, 'tenant', $1, 1)`,
          [tenantId],
        ],
        [
          `insert into settings_current (tenant_id, scope, scope_id, version) values ($1, 'tenant', $1, 1)`,
          [tenantId],
        ],
        [
          `insert into endpoints (tenant_id, id, scope, scope_id, url) values ($1, $2, 'tenant', $1, $3)`,
          [tenantId, endpointId, sink.url],
        ],
        [
          `insert into endpoint_secrets (tenant_id, endpoint_id, sealed) values ($1, $2, $3)`,
          [
            tenantId,
            endpointId,
            box.seal(`whsec_${Buffer.alloc(24).toString('base64')}`, signingSecretContext(place)),
          ],
        ],
        [
          `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url,
                                         credentials_sealed)
           values ($1, 'tenant', $1, 1, 'submission_completed', $2, true, $3, $4)`,
          [tenantId, endpointId, sink.url, box.seal(credentials, credentialsContext(place))],
        ],
        [
          `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
           values ($1, $2, 'submission_completed', 'submission', 'completed', $3, now())`,
          [messageId, tenantId, Buffer.from(body)],
        ],
        [
          `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
           values ($1, $2, $3, 'submission_completed', 1, now(), now())`,
          [tenantId, messageId, endpointId],
        ],
        [
          `with failed as (
             insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at, attempts,
                                  schedule_step)
             values ($1, $2, $3, 'submission_completed', 1, now(), now(), 2, 2) returning *
           )
           insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at,
                                   status, attempt_count, last_outcome, attempts)
           select tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, 'failed', 2,
                  'timeout', '{}' from failed`,
          [tenantId, messageId, endpointId],
        ],
        [
          `update endpoints set first_due = now() - interval '1 hour' where tenant_id = $1 and id = $2`,
          [tenantId, endpointId],
        ],
      ];
      for (const [sql, values] of rows) await db.query(sql, values);
      await db.close();
      expect(await migrate(url, migrations)).toEqual(rest.map(({ name }) => name));
      return url;
    },
  });
}, 180_000);
afterAll(async () => {
  await sink.close();
  await world.close();
});
beforeEach(() => void sink.requests.splice(0));

it('deliveries that were stored with the first schema are sent after all migrations, with their URL, key and secret', async () => {
  await world.relay();
  await eventually(() => expect(sink.requests).toHaveLength(2));
  for (const request of sink.requests) {
    expect(request.body.toString()).toBe(body);
    expect(request.headers).toMatchObject({
      'x-key': 'the key',
      'x-service-hook-id': messageId,
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
  }
  await eventually(async () =>
    expect(
      await world.db.query(`select status, attempt_count as attempts from deliveries order by 2`),
    ).toEqual([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 3 },
    ]),
  );
});

it('an event in the format of the first release is sent, and so is an event with additional members', async () => {
  expectMalformedEvents();
  await world.relay();
  const tenant = newTenant(world.owner);
  const ref = tenant.configure('SubmissionCompleted', [
    { endpointId: newId(), url: sink.url, authentication: { type: 'None' } },
  ]);
  const [id, later] = [newId(), newId()];
  // Word for word what is in queues and outboxes; only the ids are of this test.
  const published = JSON.parse(
    `{"id":"${id}","type":"submission.completed","schemaVersion":1,"tenantId":"${tenant.tenantId}","entity":"submission",
      "entityId":"7","formId":"${tenant.formId}","revision":"2","occurredAt":"2026-11-20T12:00:00.000Z","traceparent":null,
      "settings":{"scope":"tenant","scopeId":"${ref.scopeId}","version":"${ref.version}"},
      "data":{"id":"7","formId":"${tenant.formId}","isComplete":true,"jsonData":"{}"}}`,
  ) as Record<string, unknown>;
  await world.publish(published);
  await world.publish({ ...published, id: later, addedLater: { a: 1 }, data: { id: '7', alsoLater: true } });
  await eventually(() =>
    expect(sink.requests.map(({ headers }) => headers['x-service-hook-id']).sort()).toEqual(
      [id, later].sort(),
    ),
  );
});

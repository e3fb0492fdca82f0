import type { RunningService } from '@canvass/service-kit';
import {
  eventually,
  smtpServer,
  webhookSink,
  type ReceivedRequest,
  type SmtpServer,
  type WebhookSink,
} from '@canvass/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { api } from './api';
import { alertSteps, type AlertSteps } from './alert-steps';
import { ControlledClock } from './clock';
import { endpointAt, newTenant, startHarness, type Harness, type Tenant } from './harness';

/** The schedule of an installation without settings of its own, 76 hours. */
const schedule = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const clock = new ControlledClock();
let ahead = 0;
let world: Harness;
let relay: RunningService;
let smtp: SmtpServer;
let alertUrl: WebhookSink;
let receiver: WebhookSink;
let tenant: Tenant;
let steps: AlertSteps;

beforeAll(async () => {
  [smtp, alertUrl, receiver] = await Promise.all([smtpServer(), webhookSink(), webhookSink()]);
  world = await startHarness({ atClock: clock.install });
  const mail = {
    SmtpUrl: smtp.url,
    From: 'Forms <forms@example.org>',
    ConsoleUrl: 'https://forms.example.org/console',
  };
  relay = await world.relay({ mail, webHooks: { RetryScheduleSeconds: schedule } });
  tenant = newTenant(world.owner);
  steps = alertSteps(world.db, mail);
});
afterAll(async () => {
  await world.close();
  await Promise.all([smtp.close(), alertUrl.close(), receiver.close()]);
});

const own = () => api(world, relay.url, tenant);

/** Waits until everything that may be sent now was sent, so that the clock may go on. */
async function settled(): Promise<void> {
  const found = async () =>
    expect(
      await world.db.query(
        `select now(), w.due_at, w.lease_until, w.attempts, e.is_ready, e.ready_at, e.resume_at, e.in_flight, e.slots
         from waiting w join endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
         where w.lease is not null
           or (w.due_at <= now() and e.disabled_at is null and (e.resume_at <= now()) is not false)`,
      ),
    ).toEqual([]);
  // The clock must not go on while something is due, however long it takes.
  await eventually(found, { timeoutMs: 120_000 });
}

async function pass(seconds: number): Promise<void> {
  await settled();
  await clock.advance(seconds);
  ahead += seconds;
  await settled();
  await steps.run();
}

/** An hour, with what the job does within it. */
async function anHour(): Promise<void> {
  await pass(3_290);
  await pass(310);
}

/** The verifiers refuse what is five minutes off; theirs is set to the time of the database. */
function verified(secret: string, { body, headers }: ReceivedRequest): Record<string, unknown> {
  const sentAt = Number(headers['webhook-timestamp']) * 1000;
  const spy = jest.spyOn(Date, 'now').mockReturnValue(sentAt);
  try {
    new SvixWebhook(secret).verify(body, headers);
    return new StandardWebhook(secret).verify(body.toString(), headers) as Record<string, unknown>;
  } finally {
    spy.mockRestore();
  }
}

it('an endpoint that fails for six days: each alert once, in order, as a mail and as a webhook', async () => {
  const endpoint = endpointAt(`${receiver.url}/orders?token=a-secret`);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  await eventually(() => own().get(path));
  const settings = await own().put('/api/webhooks/alerts', 200, {
    addresses: ['ops@example.org'],
    url: alertUrl.url,
  });
  receiver.respond(() => ({ status: 503 }));

  for (let hour = 0; hour < 144; hour += 1) {
    if (hour % 12 === 0) await world.publish(tenant.event());
    await anHour();
  }
  expect(await own().get(path)).toMatchObject({ state: 'disabled', disabledReason: 'failing' });

  receiver.respond(() => ({ status: 200 }));
  await own().post(`${path}/enable`);
  await settled();
  await anHour();
  await anHour();

  const { secret } = await own().get(`/api/webhooks/endpoints/${settings.endpointId}/secret`);
  const messages = alertUrl.requests.map((request) => verified(secret, request));
  const alerts = messages.map(({ Payload }) => Payload as Record<string, unknown>);
  const kinds = ['failing', 'dead_letters', 'disable_soon', 'disabled', 'recovered'];
  expect(alerts.map(({ kind }) => kind)).toEqual(kinds);
  expect(messages[0]).toEqual({
    Id: alertUrl.requests[0]!.headers['webhook-id'],
    EventName: 'webhook_alert',
    Action: 'updated',
    Payload: expect.objectContaining({
      endpointId: endpoint.endpointId,
      scope: 'tenant',
      scopeId: tenant.tenantId,
    }),
  });
  expect(alertUrl.requests[0]!.headers).toMatchObject({
    'x-service-event': 'webhook_alert',
    'x-service-entity': 'endpoint',
    'x-service-action': 'updated',
  });

  const [failing, dead, soon, disabled, recovered] = alerts;
  const hours = (from: unknown, to: unknown) =>
    Math.round((Date.parse(String(to)) - Date.parse(String(from))) / 3_600_000);
  expect(hours(failing!['failingSince'], failing!['occurredAt'])).toBe(1);
  expect(hours(failing!['failingSince'], failing!['disablesAt'])).toBe(120);
  expect(dead!['deadDeliveries']).toBe(1);
  expect(hours(soon!['failingSince'], soon!['occurredAt'])).toBe(96);
  expect(disabled!['disabledReason']).toBe('failing');
  expect(recovered!['failingSince']).toBe(failing!['failingSince']);

  const sentences = [
    'No delivery has succeeded since',
    'Deliveries that are not retried any more: 1.',
    'It will be disabled after',
    'no delivery succeeded for days. Its deliveries wait until it is enabled.',
    'It works again',
  ];
  expect(smtp.mails.map(({ to }) => to)).toEqual(kinds.map(() => 'ops@example.org'));
  const all = smtp.mails.map(({ text }) => sentences.filter((sentence) => text.includes(sentence)));
  expect(all).toEqual(sentences.map((sentence) => [sentence]));
  for (const { text } of smtp.mails) {
    expect(text).toContain(`https://forms.example.org/console/endpoints/${endpoint.endpointId}`);
    expect(text).toContain(`${new URL(receiver.url).host}/orders\n`);
    expect(text).not.toMatch(/a-secret|whsec_/);
  }
  expect(ahead).toBeGreaterThan(144 * 3_600);
}, 600_000);

import type { RunningService } from '@canvass/service-kit';
import { eventually, smtpServer, webhookSink, type SmtpServer, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { alertSteps, type AlertSteps } from './alert-steps';
import { ControlledClock } from './clock';
import { endpointAt, newTenant, startHarness, type Harness, type Tenant } from './harness';

const path = '/api/webhooks/alerts';
const clock = new ControlledClock();
let world: Harness;
let relay: RunningService;
let smtp: SmtpServer;
let sink: WebhookSink;
let tenant: Tenant;
let steps: AlertSteps;
let address: string;

beforeAll(async () => {
  [smtp, sink] = await Promise.all([smtpServer(), webhookSink()]);
  world = await startHarness({ atClock: clock.install });
  const mail = { SmtpUrl: smtp.url, From: 'Forms <forms@example.org>' };
  relay = await world.relay({ mail });
  steps = alertSteps(world.db, mail);
});
afterAll(async () => {
  await world.close();
  await Promise.all([smtp.close(), sink.close()]);
});
beforeEach(() => {
  tenant = newTenant(world.owner);
  address = `${tenant.tenantId}@example.org`;
  smtp.setAway(false);
});

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);
const mails = () => smtp.mails.filter(({ to }) => to === address).map(({ text }) => text);
const idOf = (mail: string) => /^Message-ID: (.*)$/m.exec(mail)![1];

/** Endpoints of the tenant that the relay knows. */
async function endpoints(count: number): Promise<string[]> {
  const all = Array.from({ length: count }, (_, n) => endpointAt(`${sink.url}/${n}?key=a-secret`));
  tenant.configure('SubmissionCompleted', all);
  await world.publish(tenant.settingsChanged());
  await eventually(async () => expect((await own().get('/api/webhooks/endpoints')).items).not.toEqual([]));
  return all.map(({ endpointId }) => endpointId);
}

/** What failures leave in the row of an endpoint: since so many minutes, with deliveries that wait. */
const failFor = (minutes: number, ids: readonly string[]) =>
  world.db.query(
    `update endpoints set failing_since = now() - interval '1 minute' * $1, first_due = now() + interval '1 year'
     where tenant_id = $2 and id = any ($3)`,
    [minutes, tenant.tenantId, ids],
  );

const succeed = (ids: readonly string[]) =>
  world.db.query(
    `update endpoints set failing_since = null, last_success_at = now() where tenant_id = $1 and id = any ($2)`,
    [tenant.tenantId, ids],
  );

/** Makes alerts, and lets the time pass in which others may join their mail. */
async function gathered(): Promise<void> {
  await steps.make();
  await clock.advance(301);
  await steps.run();
}

const settings = () => ({ addresses: [address], language: 'en', url: null as string | null });

describe('the settings', () => {
  it('are empty at first, and are replaced under If-Match', async () => {
    const empty = await own().get(path);
    expect(empty).toEqual({
      addresses: [],
      language: 'en',
      url: null,
      endpointId: null,
      mail: 'configured',
      revision: '0',
    });
    const saved = await own().put(path, 200, { ...settings(), language: 'de' }, { 'if-match': '"0"' });
    expect(saved).toEqual({ ...empty, addresses: [address], language: 'de', revision: '1' });
    expect(await own().put(path, 200, { ...settings(), language: 'de' })).toEqual(saved);
    await own().put(path, 412, settings(), { 'if-match': '"0"' });
    expect(await own().get(path)).toEqual(saved);
    expect(await own(['Viewer']).get(path, 403)).toMatchObject({ errorCode: 'permission_denied' });
    await own(['Editor']).put(path, 403, settings());
  });

  it.each([
    [{ addresses: ['x'] }, 'addresses[0]'],
    [{ addresses: ['a@example.org', 'a@example.org'] }, 'addresses[1]'],
    [{ addresses: Array.from({ length: 11 }, (_, n) => `a${n}@example.org`) }, 'addresses'],
    [{ url: 'ftp://example.org' }, 'url'],
    [{ url: 'http://10.0.0.1/' }, 'url'],
    [{ language: 'fr' }, 'language'],
  ])('reject %j', async (wrong, faulty) => {
    const { violations } = await own().put(path, 400, { ...settings(), ...wrong });
    expect(violations).toEqual([expect.objectContaining({ path: faulty })]);
  });

  it('make the URL an endpoint of its own, another URL another one', async () => {
    const first = await own().put(path, 200, { ...settings(), url: `${sink.url}/a` });
    const endpoint = await own().get(`/api/webhooks/endpoints/${first.endpointId}`);
    expect(endpoint).toMatchObject({
      scope: 'alerts',
      scopeId: tenant.tenantId,
      url: `${sink.url}/a`,
      state: 'enabled',
      events: ['webhook_alert'],
    });
    const kept = await own().put(path, 200, { ...settings(), addresses: [], url: `${sink.url}/a` });
    expect(kept.endpointId).toBe(first.endpointId);
    const second = await own().put(path, 200, { ...settings(), url: `${sink.url}/b` });
    expect(second.endpointId).not.toBe(first.endpointId);
    await own().put(path, 200, settings());
    const all = (await own().get('/api/webhooks/endpoints')).items as { id: string; state: string }[];
    expect(all.map(({ id, state }) => [id, state])).toEqual([
      [second.endpointId, 'removed'],
      [first.endpointId, 'removed'],
    ]);
  });

  it('outlive a resync of the settings of forms', async () => {
    const [id] = await endpoints(1);
    const { endpointId } = await own().put(path, 200, { ...settings(), url: sink.url });
    const data = { since: '9000000000000000000', scopeIds: [] };
    await world.publish({ ...tenant.settingsChanged(), type: 'tenant.settings_resynced', data });
    const stateOf = async (each: string) =>
      (await own().get(`/api/webhooks/endpoints/${each}`)).state as string;
    await eventually(async () => expect(await stateOf(id!)).toBe('removed'));
    expect(await stateOf(endpointId)).toBe('enabled');
  });
});

describe('a test', () => {
  it('goes to every address and the URL, and says what happened', async () => {
    const { endpointId } = await own().put(path, 200, { ...settings(), url: sink.url });
    expect(await own().post(`${path}/test`)).toEqual({
      mails: [{ address, isSent: true, fault: null }],
      url: { deliveryId: expect.any(String), status: 'delivered', outcome: 'success', statusCode: 200 },
    });
    expect(mails()).toEqual([expect.stringContaining('This is a test.')]);
    const { items } = await own().get(`/api/webhooks/deliveries?endpointId=${endpointId}`);
    expect(items).toEqual([expect.objectContaining({ eventName: 'webhook_alert', status: 'delivered' })]);
    const message = await own().get(`/api/webhooks/messages/${items[0].messageId}`);
    expect(JSON.parse(message.messageBody).Payload).toMatchObject({ kind: 'failing', isTestEvent: true });

    smtp.setAway(true);
    sink.respond(() => ({ status: 500 }));
    expect(await own().post(`${path}/test`)).toEqual({
      mails: [{ address, isSent: false, fault: expect.stringContaining('451') }],
      url: { deliveryId: expect.any(String), status: 'failed', outcome: 'http_5xx', statusCode: 500 },
    });
    sink.respond(() => ({ status: 200 }));
  });

  it('is refused without settings, and after ten in an hour', async () => {
    await own().post(`${path}/test`, 409);
    await own().put(path, 200, settings());
    for (let n = 0; n < 10; n += 1) await own().post(`${path}/test`);
    await own().post(`${path}/test`, 429);
    await clock.advance(3_601);
    await own().post(`${path}/test`);
  });
});

describe('mails', () => {
  it('are one for 200 endpoints that fail together', async () => {
    const ids = await endpoints(200);
    await own().put(path, 200, settings());
    await failFor(61, ids.slice(0, 100));
    await steps.make();
    await clock.advance(120);
    await failFor(61, ids.slice(100));
    await gathered();
    await clock.advance(7_200);
    await steps.run();
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toContain('Subject: 200 webhook endpoints (Canvass)');
    expect(mails()[0]).toContain('Further endpoints: 150.');
    expect(mails()[0]).not.toContain('a-secret');
  });

  it('are at most one in an hour about an endpoint; what was overtaken is left out', async () => {
    const ids = await endpoints(1);
    await own().put(path, 200, settings());
    await failFor(61, ids);
    await gathered();
    expect(mails()).toHaveLength(1);
    await succeed(ids);
    await gathered();
    expect(mails()).toHaveLength(1);
    await clock.advance(3_600);
    await failFor(61, ids);
    await steps.make();
    await succeed(ids);
    await steps.run();
    expect(mails()).toHaveLength(2);
    const second = mails()[1]!;
    expect(second.match(/It works again/g)).toHaveLength(1);
    await gathered();
    await clock.advance(3_600);
    await gathered();
    expect(mails()).toHaveLength(3);
    expect(mails()[2]).toContain('It works again');
    expect(mails()[2]).not.toContain('No delivery has succeeded');
  });

  it('are in the language of the settings', async () => {
    const ids = await endpoints(1);
    await own().put(path, 200, { ...settings(), language: 'de' });
    await failFor(61, ids);
    await gathered();
    expect(mails()).toEqual([expect.stringContaining('Content-Language: de')]);
    expect(mails()[0]).not.toContain('No delivery');
  });

  it('say that the alert URL fails, which gets no alert about itself', async () => {
    const { endpointId } = await own().put(path, 200, { ...settings(), url: sink.url });
    await failFor(61, [endpointId]);
    await gathered();
    expect(mails()).toEqual([expect.stringContaining('No delivery has succeeded')]);
    const { total } = await own().get(`/api/webhooks/deliveries?endpointId=${endpointId}&total=exact`);
    expect(total).toBe(0);
  });

  it('say nothing of what was before the settings', async () => {
    const ids = await endpoints(1);
    await world.db.query('update endpoints set dead_letters = 7, disabled_at = now() where id = any ($1)', [
      ids,
    ]);
    await clock.advance(1);
    await own().put(path, 200, settings());
    await gathered();
    expect(mails()).toEqual([]);
    await world.db.query('update endpoints set dead_letters = 9 where id = any ($1)', [ids]);
    await gathered();
    expect(mails()).toEqual([expect.stringContaining('not retried any more: 2.')]);
  });

  it('wait for a mail server that is away for an hour, and come once', async () => {
    const ids = await endpoints(1);
    await own().put(path, 200, settings());
    smtp.setAway(true);
    await failFor(61, ids);
    await gathered();
    const { failed } = steps.counted;
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await clock.advance(300);
      await steps.run();
    }
    expect(mails()).toEqual([]);
    expect(steps.counted.failed).toBeGreaterThan(failed);
    smtp.setAway(false);
    await clock.advance(1_800);
    await steps.run();
    await clock.advance(7_200);
    await steps.run();
    expect(mails()).toHaveLength(1);
  });

  it('are dropped after a day without a server', async () => {
    const ids = await endpoints(1);
    await own().put(path, 200, settings());
    smtp.setAway(true);
    await failFor(61, ids);
    await gathered();
    await clock.advance(24 * 3_600);
    await steps.run();
    smtp.setAway(false);
    await clock.advance(3_600);
    await steps.run();
    expect(mails()).toEqual([]);
    expect(await world.db.query('select from alert_mails where tenant_id = $1', [tenant.tenantId])).toEqual(
      [],
    );
  });

  it('are sent once by many relays at once', async () => {
    const ids = await endpoints(20);
    await own().put(path, 200, { ...settings(), url: sink.url });
    await failFor(61, ids);
    const all = (step: () => Promise<unknown>) => Promise.all(Array.from({ length: 4 }, step));
    await all(steps.make);
    await clock.advance(301);
    await all(steps.run);
    await all(steps.run);
    expect(mails()).toHaveLength(1);
    const made = await world.db.query('select from messages where tenant_id = $1', [tenant.tenantId]);
    expect(made).toHaveLength(20);
  });

  it('are sent again with the same id after a crash between a mail and its note', async () => {
    const ids = await endpoints(1);
    await own().put(path, 200, settings());
    await failFor(61, ids);
    await steps.make();
    await clock.advance(301);
    await steps.make();
    const [kept] = await world.db.query<Record<string, unknown>>(
      'select * from alert_mails where tenant_id = $1',
      [tenant.tenantId],
    );
    await steps.send();
    await world.db.query(
      `insert into alert_mails select * from json_populate_record(null::alert_mails, $1::json)`,
      [JSON.stringify(kept)],
    );
    await steps.send();
    expect(mails()).toHaveLength(2);
    expect(new Set(mails().map(idOf)).size).toBe(1);
  });
});

it('without a mail server the settings say so, and the URL gets its alerts', async () => {
  const other = await world.relay();
  const without = api(world, other.url, tenant);
  expect((await without.get(path)).mail).toBe('not_configured');
  await without.put(path, 200, { ...settings(), url: sink.url });
  expect(await without.post(`${path}/test`)).toMatchObject({
    mails: [{ isSent: false, fault: 'no mail server is configured' }],
    url: { status: 'delivered' },
  });
  await other.stop('test over');
});

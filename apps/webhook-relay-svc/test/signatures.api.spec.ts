import type { RunningService } from '@canvass/service-kit';
import {
  behindLock,
  eventually,
  webhookSink,
  type ReceivedRequest,
  type WebhookSink,
} from '@canvass/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { api } from './api';
import { ControlledClock } from './clock';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from './harness';

const clock = new ControlledClock();
/** The seconds that the database's clock is ahead of the verifiers'. */
let ahead = 0;
let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let endpointPath: string;

beforeAll(async () => {
  world = await startHarness({ atClock: clock.install });
  relay = await world.relay();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  endpointPath = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  await eventually(() => own().get(endpointPath));
});
afterEach(async () => {
  await sink.close();
});

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);

async function deliver(): Promise<ReceivedRequest> {
  const count = sink.requests.length;
  await world.publish(tenant.event());
  await eventually(() => expect(sink.requests).toHaveLength(count + 1));
  // The clock may advance beyond a lease only when it has ended.
  await eventually(async () => expect(await world.leased(tenant.tenantId)).toBe(0));
  return sink.requests.at(-1)!;
}

async function pass(seconds: number): Promise<void> {
  await clock.advance(seconds);
  ahead += seconds;
}

const verifiers: [
  string,
  new (secret: string) => { verify(body: string | Buffer, headers: Record<string, string>): unknown },
][] = [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
];

/** The verifiers refuse what is five minutes off; theirs is set to the time of the database. */
function accepts(secret: string, { body, headers }: Pick<ReceivedRequest, 'body' | 'headers'>): boolean {
  const real = Date.now();
  const spy = jest.spyOn(Date, 'now').mockReturnValue(real + ahead * 1000);
  try {
    const verdicts = verifiers.map(([, Verifier]) => {
      try {
        new Verifier(secret).verify(body.toString(), headers);
        return true;
      } catch {
        return false;
      }
    });
    expect(new Set(verdicts).size).toBe(1);
    return verdicts[0]!;
  } finally {
    spy.mockRestore();
  }
}

describe.each(verifiers)('%s', (_name, Verifier) => {
  it('accepts a delivery, and rejects it with another body, id, time or secret', async () => {
    const { secret } = await own().get(`${endpointPath}/secret`);
    const { body, headers } = await deliver();
    const text = body.toString();
    const verify =
      (changed: Record<string, string> = {}, sent = text) =>
      () =>
        new Verifier(secret).verify(sent, {
          ...headers,
          'webhook-timestamp': headers['webhook-timestamp']!,
          ...changed,
        });
    expect(verify()).not.toThrow();
    expect(verify({}, text.replace('IS', 'NO'))).toThrow();
    expect(verify({}, `${text} `)).toThrow();
    expect(verify({ 'webhook-id': '1' })).toThrow();
    expect(verify({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })).toThrow();
    expect(verify({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 400) })).toThrow();
    expect(verify({ 'webhook-signature': 'v1,AAAA' })).toThrow();
    expect(() =>
      new Verifier(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(text, headers),
    ).toThrow();
  });
});

describe('rotation of a signing secret', () => {
  const hour = 3_600;

  // First, because the keys' own time is not covered by the clock that is moved on below.
  it('happens once for one Idempotency-Key', async () => {
    const me = own(); // a key is the caller's
    const key = { 'idempotency-key': `rotate-${tenant.tenantId}` };
    const once = await me.post(`${endpointPath}/rotate-secret`, 200, {}, key);
    expect(await me.post(`${endpointPath}/rotate-secret`, 200, {}, key)).toEqual(once);
    expect((await own().get(`${endpointPath}/secret`)).previous).toHaveLength(1);
    await me.post(`${endpointPath}/rotate-secret`, 409, { overlapSeconds: 1 }, key);
    const kept = await world.db.query<{ answer: string }>('select answer from idempotency_keys');
    expect(JSON.stringify(kept)).not.toContain(once.secret);
  });

  it('signs with both secrets until the overlap ends, then only with the new one', async () => {
    const { secret: old } = await own().get(`${endpointPath}/secret`);
    const before = await deliver();
    expect(before.headers['webhook-signature']!.split(' ')).toHaveLength(1);

    const rotated = await own().post(`${endpointPath}/rotate-secret`);
    expect(rotated).toEqual({
      endpointId: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous: [{ secret: old, expiresAt: expect.any(String) }],
    });
    const { secret: fresh } = rotated;
    expect(fresh).not.toBe(old);

    const during = await deliver();
    expect(during.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect([accepts(old, during), accepts(fresh, during), accepts(fresh, before)]).toEqual([
      true,
      true,
      false,
    ]);

    // The last minute of the 24 hours, and the moment after them.
    await pass(24 * hour - 60);
    const last = await deliver();
    expect([accepts(old, last), accepts(fresh, last)]).toEqual([true, true]);
    await pass(61);
    const after = await deliver();
    expect([accepts(old, after), accepts(fresh, after)]).toEqual([false, true]);
    expect(after.headers['webhook-signature']!.split(' ')).toHaveLength(1);
    expect(await own().get(`${endpointPath}/secret`)).toMatchObject({ secret: fresh, previous: [] });
  });

  it('ends the old secret at once if it was leaked', async () => {
    const { secret: leaked } = await own().get(`${endpointPath}/secret`);
    const { secret: fresh } = await own().post(`${endpointPath}/rotate-secret`, 200, { overlapSeconds: 0 });
    const after = await deliver();
    expect([accepts(leaked, after), accepts(fresh, after)]).toEqual([false, true]);
  });

  it('keeps up to five valid secrets, the first to expire first', async () => {
    const { secret: first } = await own().get(`${endpointPath}/secret`);
    const { secret: second } = await own().post(`${endpointPath}/rotate-secret`, 200, {
      overlapSeconds: hour,
    });
    const { secret: third } = await own().post(`${endpointPath}/rotate-secret`);
    const all = await deliver();
    expect([first, second, third].map((secret) => accepts(secret, all))).toEqual([true, true, true]);
    await pass(hour + 1);
    const later = await deliver();
    expect([first, second, third].map((secret) => accepts(secret, later))).toEqual([false, true, true]);

    for (let more = 0; more < 3; more += 1) await own().post(`${endpointPath}/rotate-secret`);
    await own().post(`${endpointPath}/rotate-secret`, 409);
    const { secret } = await own().post(`${endpointPath}/rotate-secret`, 200, { overlapSeconds: 0 });
    expect(await own().get(`${endpointPath}/secret`)).toMatchObject({ secret, previous: [] });
  });

  it('counts the secrets of concurrent rotations, and leaves one without an end', async () => {
    const rotate = () =>
      own()
        .post(`${endpointPath}/rotate-secret`)
        .then(() => 'rotated', String);
    const answers = await behindLock(
      world.db,
      (tx) => tx.query('select from endpoints where tenant_id = $1 for update', [tenant.tenantId]),
      Array.from({ length: 6 }, () => rotate),
    );
    const refused = answers.filter((answer) => answer !== 'rotated');
    expect(refused).toEqual(Array.from({ length: 2 }, () => expect.stringContaining(': 409 ') as string));
    const { previous } = await own().get(`${endpointPath}/secret`);
    expect(previous.map(({ expiresAt }: { expiresAt: string }) => expiresAt)).toEqual(
      Array.from({ length: 4 }, () => expect.any(String) as string),
    );
    await own().post(`${endpointPath}/rotate-secret`, 200, { overlapSeconds: 0 });
    const { headers } = await deliver();
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(1);
  });

  it('signs a retry with the secrets that are valid at its time, over the same bytes', async () => {
    sink.respond(() => ({ status: sink.requests.length < 2 ? 500 : 200 }));
    const { secret: old } = await own().get(`${endpointPath}/secret`);
    await world.publish(tenant.event());
    await eventually(() => expect(sink.requests.length).toBeGreaterThan(0));
    const { secret: fresh } = await own().post(`${endpointPath}/rotate-secret`, 200, { overlapSeconds: 0 });
    await eventually(() => expect(sink.requests).toHaveLength(2));
    const [first, second] = sink.requests;
    expect(first!.body).toEqual(second!.body);
    expect(accepts(old, first!)).toBe(true);
    // The retry was claimed before or after the rotation; it is never signed with anything else.
    expect([accepts(old, second!), accepts(fresh, second!)]).toContain(true);
  });

  it.each([{ overlapSeconds: -1 }, { overlapSeconds: 604_801 }, { overlapSeconds: '1' }, { other: 1 }])(
    'rejects %j',
    async (body) => {
      await own().post(`${endpointPath}/rotate-secret`, 400, body);
    },
  );
});

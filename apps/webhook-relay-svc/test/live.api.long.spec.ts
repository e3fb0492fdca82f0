import { eventExample, type EventEnvelope } from '@canvass/contracts';
import type { RunningService } from '@canvass/service-kit';
import { eventually, openStream, webhookSink, type OpenStream, type TokenClaims } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from './api';
import { endpointAt, newId, newTenant, startHarness, type Harness, type Tenant } from './harness';

let world: Harness;
let service: RunningService;
const open: OpenStream[] = [];
beforeAll(async () => {
  world = await startHarness();
  service = await world.relay();
}, 180_000);
afterEach(async () => {
  for (const stream of open) stream.close();
  await Promise.all(open.splice(0).map(({ ended }) => ended));
});
afterAll(() => world.close());

const tokenOf = ({ tenantId }: Pick<Tenant, 'tenantId'>, claims: TokenClaims = {}) =>
  world.issuer.token({ tid: tenantId, roles: ['Admin'], ...claims });

async function follow(
  token: string,
  { query = '', after, at = service }: { query?: string; after?: string; at?: RunningService } = {},
): Promise<OpenStream> {
  const stream = await openStream(`${at.url}/api/events/stream${query}`, {
    authorization: `Bearer ${token}`,
    ...(after === undefined ? {} : { 'last-event-id': after }),
  });
  open.push(stream);
  return stream;
}

/** Waits for the first event, so that what happens afterwards is in the stream. */
const begun = (stream: OpenStream, event: 'ready' | 'reset' = 'ready') =>
  eventually(() => expect(stream.events[0]).toMatchObject({ event, data: {} }));

/** The events of a stream without the first one. */
const typesOf = ({ events }: OpenStream) => events.slice(1).map(({ data }) => data['type']);
const idsOf = ({ events }: OpenStream) => events.slice(1).map(({ data }) => data['id']);

/** An event of a new entity of the tenant, without webhooks. */
const event = (
  tenant: Tenant,
  { type = 'submission.completed', ...overrides }: Partial<EventEnvelope> = {},
): EventEnvelope => {
  const { tenantId, formId } = tenant;
  const occurredAt = new Date().toISOString();
  const ids = { id: newId(), tenantId, entityId: newId(), formId };
  return { ...eventExample(type), ...ids, occurredAt, settings: null, ...overrides };
};

it('reports what happened to which entity, without its content', async () => {
  const tenant = newTenant(world.owner);
  const stream = await follow(tokenOf(tenant));
  expect(stream.status).toBe(200);
  await begun(stream);
  const happened = event(tenant, { type: 'submission.updated', revision: '7' });
  await world.publish(happened);
  await eventually(() => expect(stream.events).toHaveLength(2));
  expect(stream.events[1]).toEqual({
    id: expect.stringMatching(/^[0-9]+$/),
    event: 'submissions',
    data: {
      type: 'submission.updated',
      id: happened.entityId,
      formId: tenant.formId,
      revision: '7',
      occurredAt: happened.occurredAt,
    },
  });
});

it('has an event for each topic, and only for topics that were asked for', async () => {
  const tenant = newTenant(world.owner);
  const all = await follow(tokenOf(tenant));
  const some = await follow(tokenOf(tenant), { query: '?topics=imports,forms' });
  await Promise.all([begun(all), begun(some)]);
  const types = [
    ['submission.created', 'submissions'],
    ['submitter.erased', 'submissions'],
    ['export.done', 'exports'],
    ['form.updated', 'forms'],
    ['datalist.imported', 'imports'],
    ['import.ready', 'imports'],
    ['webhook.delivery_dead', 'deliveries'],
    ['webhook.endpoint_disabled', 'health'],
  ] as const;
  for (const [type] of types) await world.publish(event(tenant, { type }));
  await eventually(() => expect(all.events).toHaveLength(1 + types.length));
  const topics = new Map(all.events.slice(1).map(({ event: topic, data }) => [data['type'], topic]));
  expect(topics).toEqual(new Map(types));
  const wanted = ['datalist.imported', 'form.updated', 'import.ready'];
  await eventually(() => expect(typesOf(some).sort()).toEqual(wanted));
});

it('reports how a recovery begins, advances and ends', async () => {
  const sink = await webhookSink();
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.event());
  await eventually(() => expect(sink.requests).toHaveLength(1));
  const stream = await follow(tokenOf(tenant), { query: '?topics=recoveries' });
  await begun(stream);
  const { id } = await api(world, service.url, tenant).post('/api/webhooks/recoveries', 202, {
    filter: { endpointId: endpoint.endpointId },
    mode: 'all',
  });
  await eventually(() => expect(typesOf(stream).at(-1)).toBe('recovery.ended'));
  expect(typesOf(stream)[0]).toBe('recovery.started');
  expect(new Set(typesOf(stream))).toContain('recovery.progressed');
  expect(new Set(idsOf(stream))).toEqual(new Set([id]));
  await sink.close();
}, 60_000);

it('a client that follows the relays through a rolling restart misses nothing and sees no other tenant', async () => {
  const [tenant, other] = [newTenant(world.owner), newTenant(world.owner)];
  const token = tokenOf(tenant);
  let relays = [await world.relay(), await world.relay()];
  const followed: OpenStream[] = [];
  let isOver = false;
  const following = (async () => {
    while (!isOver) {
      const after = followed.map((stream) => stream.lastEventId()).findLast((id) => id !== '');
      const at = relays[0]!;
      const stream = await follow(token, { at, ...(after === undefined ? {} : { after }) }).catch(() => null);
      if (stream?.status === 200) followed.push(stream);
      await (stream?.ended ?? sleep(50));
    }
  })();
  await eventually(() => expect(followed[0]?.events).toHaveLength(1));
  const published: string[] = [];
  const publishSome = async () => {
    for (let n = 0; n < 10; n += 1) {
      const mine = event(tenant);
      published.push(mine.entityId);
      await Promise.all([world.publish(mine), world.publish(event(other))]);
    }
  };
  for (let n = 0; n < 2; n += 1) {
    await publishSome();
    const [stopping, staying] = relays as [RunningService, RunningService];
    const stopped = stopping.stop('rolling restart');
    relays = [staying];
    await publishSome();
    await stopped;
    relays.push(await world.relay());
  }
  await publishSome();
  const seen = () => new Set(followed.flatMap(idsOf));
  await eventually(() => expect(seen().size).toBeGreaterThanOrEqual(published.length));
  isOver = true;
  for (const stream of followed) stream.close();
  await following;
  expect(seen()).toEqual(new Set(published));
  expect(followed.length).toBeGreaterThan(2);
  expect(followed.map(({ events }) => events[0]?.event)).toEqual(followed.map(() => 'ready'));
  await Promise.all(relays.map((relay) => relay.stop('test over')));
}, 180_000);

it('nothing arrives after a session was revoked, and the stream ends', async () => {
  const tenant = newTenant(world.owner);
  const [sid, sub] = [randomUUID(), randomUUID()];
  const [leaving, staying] = [await follow(tokenOf(tenant, { sid, sub })), await follow(tokenOf(tenant))];
  await Promise.all([begun(leaving), begun(staying)]);
  await world.publish(event(tenant));
  await eventually(() => expect(leaving.events).toHaveLength(2));
  world.issuer.revoke({ kind: 'session', subject: sid, minVersion: null });
  await leaving.ended;
  await world.publish(event(tenant));
  await eventually(() => expect(staying.events).toHaveLength(3));
  expect(leaving.events).toHaveLength(2);
  const again = await follow(tokenOf(tenant, { sid, sub }), { after: leaving.lastEventId() });
  expect(again.status).toBe(401);
}, 30_000);

it('the stream of an expired token ends', async () => {
  const tenant = newTenant(world.owner);
  const token = world.issuer.token({ tid: tenant.tenantId, roles: ['Admin'] }, { expiresInSeconds: 3 });
  const stream = await follow(token);
  await begun(stream);
  await stream.ended;
  expect(stream.events).toHaveLength(1);
}, 120_000);

it('a caller learns only of what it may see', async () => {
  const tenant = newTenant(world.owner);
  const other = newId();
  const admin = await follow(tokenOf(tenant));
  const viewer = await follow(tokenOf(tenant, { roles: ['Viewer'] }));
  const respondent = await follow(tokenOf(tenant, { roles: ['Respondent'] }));
  const restricted = await follow(
    tokenOf(tenant, { kind: 'service', roles: ['Integration'], forms: [tenant.formId] }),
  );
  await Promise.all([admin, viewer, respondent, restricted].map((stream) => begun(stream)));
  await world.publish(event(tenant, { type: 'webhook.delivery_dead' }));
  await world.publish(event(tenant, { type: 'submission.updated' }));
  await world.publish(event(tenant, { type: 'submission.created', formId: other }));
  await eventually(() => expect(admin.events).toHaveLength(4));
  await eventually(() => expect(viewer.events).toHaveLength(3));
  await eventually(() => expect(restricted.events).toHaveLength(2));
  expect(typesOf(viewer).sort()).toEqual(['submission.created', 'submission.updated']);
  expect(typesOf(restricted)).toEqual(['submission.updated']);
  expect(typesOf(respondent)).toEqual([]);
  const refused = await follow(tokenOf(tenant, { roles: ['Viewer'] }), { query: '?topics=deliveries' });
  expect(refused.status).toBe(403);
});

it('exports and imports are those of the tenant, need their permissions, and are resumed', async () => {
  const [tenant, other] = [newTenant(world.owner), newTenant(world.owner)];
  const query = '?topics=exports,imports';
  const [first, viewer] = [
    await follow(tokenOf(tenant), { query }),
    await follow(tokenOf(tenant, { roles: ['Viewer'] })),
  ];
  await Promise.all([begun(first), begun(viewer)]);
  const publish = async (type: 'export.running' | 'import.ready') => {
    const mine = event(tenant, { type });
    await Promise.all([world.publish(mine), world.publish(event(other, { type }))]);
    return mine;
  };
  const started = await publish('export.running');
  await eventually(() => expect(idsOf(first)).toEqual([started.entityId]));
  expect(first.events[1]).toMatchObject({
    event: 'exports',
    data: { type: started.type, formId: tenant.formId, revision: started.revision },
  });
  first.close();
  await first.ended;
  const [exported, imported] = [await publish('export.running'), await publish('import.ready')];
  const again = await follow(tokenOf(tenant), { query, after: first.lastEventId() });
  await eventually(() =>
    expect(new Set(idsOf(again))).toEqual(new Set([exported.entityId, imported.entityId])),
  );
  await eventually(() => expect(idsOf(viewer)).toEqual([imported.entityId]));
  for (const [topic, role] of [
    ['exports', 'Viewer'],
    ['imports', 'Respondent'],
  ] as const) {
    const refused = await follow(tokenOf(tenant, { roles: [role] }), { query: `?topics=${topic}` });
    expect(refused.status).toBe(403);
  }
});

it('asks a client that was away for too long to read everything again', async () => {
  const tenant = newTenant(world.owner);
  const twoHours = BigInt(2 * 3_600_000) << 22n;
  const stream = await follow(tokenOf(tenant), { after: String(BigInt(newId()) - twoHours) });
  await begun(stream, 'reset');
  const happened = event(tenant);
  await world.publish(happened);
  await eventually(() => expect(idsOf(stream)).toEqual([happened.entityId]));
});

it.each([
  ['?topics=everything', {}],
  ['?topics=', {}],
  ['?topics=forms&topics=another', {}],
  ['', { 'last-event-id': 'x' }],
  ['', { 'last-event-id': '9223372036854775808' }],
])('rejects %s %j', async (query, headers) => {
  const response = await fetch(`${service.url}/api/events/stream${query}`, {
    headers: { authorization: `Bearer ${tokenOf(newTenant(world.owner))}`, ...headers },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errorCode: 'validation_failed' });
});

it('a caller may have 20 streams, and closing one makes room', async () => {
  const tenant = newTenant(world.owner);
  const token = tokenOf(tenant, { sub: randomUUID() });
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(token)));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const next = await follow(token);
  expect(next.status).toBe(429);
  expect((await follow(tokenOf(tenant))).status).toBe(200);
  streams[0]!.close();
  await eventually(async () => expect((await follow(token)).status).toBe(200));
});

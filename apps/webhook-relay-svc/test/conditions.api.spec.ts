import { eventually, listen } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

it('endpoints and deliveries have an ETag that changes with them, and changes evaluate If-Match', async () => {
  const receiver = await listen((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const relay = await world.relay();
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(receiver.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  const calls = api(world, relay.url, tenant);
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  await eventually(async () => void (await calls.get(path)));

  const authorization = `Bearer ${world.issuer.token({ tid: tenant.tenantId, roles: ['Admin'] })}`;
  const send = async (method: string, at: string, headers: object, body?: object) => {
    const answer = await fetch(relay.url + at, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return { status: answer.status, etag: answer.headers.get('etag') ?? '' };
  };
  const read = (at: string, known = '"none"') => send('GET', at, { 'if-none-match': known });

  const first = await read(path);
  expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^"[\w-]+"$/) as string });
  expect(await read(path, first.etag)).toEqual({ status: 304, etag: first.etag });
  const limited = await send('PATCH', path, { 'if-match': first.etag }, { maxPerSecond: 7 });
  expect(limited.status).toBe(200);
  expect(limited.etag).not.toBe(first.etag);
  expect(await read(path, first.etag)).toEqual({ status: 200, etag: limited.etag });
  for (const [method, at, body] of [
    ['PATCH', path, { maxPerSecond: 8 }],
    ['POST', `${path}/disable`],
    ['POST', `${path}/enable`],
  ] as const)
    expect((await send(method, at, { 'if-match': `${first.etag}, "1"` }, body)).status).toBe(412);
  expect(await calls.get(path)).toMatchObject({ maxPerSecond: 7, state: 'enabled' });
  const both = `${first.etag}, ${limited.etag}`;
  expect((await send('POST', `${path}/disable`, { 'if-match': both })).status).toBe(200);

  const { deliveryId } = await calls.post(`${path}/enable`).then(() => calls.post(`${path}/test`, 202));
  const delivery = `/api/webhooks/deliveries/${deliveryId}`;
  await eventually(async () => expect((await calls.get(delivery)).status).toBe('delivered'));
  const { etag } = await read(delivery);
  expect(await read(delivery, etag)).toEqual({ status: 304, etag });
  await calls.post(`${delivery}/resend`, 202);
  await eventually(async () => expect((await calls.get(delivery)).attempts).toHaveLength(2));
  expect((await read(delivery, etag)).status).toBe(200);

  const { id } = await calls.post(`${path}/recover`, 202, { since: '2020-01-01T00:00:00' });
  const recovery = `/api/webhooks/recoveries/${id}`;
  await eventually(async () => expect((await calls.get(recovery)).finishedAt).not.toBeNull());
  const ended = await read(recovery);
  expect(await read(recovery, ended.etag)).toEqual({ status: 304, etag: ended.etag });
  await Promise.all([relay.stop(), receiver.close()]);
});

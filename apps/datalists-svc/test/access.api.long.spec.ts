import type { DataListView } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import { client } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const items = [{ value: 'a', labels: { default: 'A' } }];

async function tenantWithList() {
  const admin = harness.newTenant();
  const list = await admin.createList();
  await admin.importItems(list.id, items);
  return { admin, listId: list.id, tenantId: admin.tenantId };
}

function search(token: string | null, formId: string, listId: string, verb = 'search') {
  const query = verb === 'search' ? 'query=a' : 'values=a';
  return client(harness.service.url, token).get(
    `/api/public/forms/${formId}/data-lists/${listId}/${verb}?${query}`,
  );
}

describe('a form-access token of an account', () => {
  const revocations = [
    [
      'a deleted user',
      { kind: 'user', sub: '601', ver: 1 },
      { kind: 'user', subject: '601', minVersion: null },
    ],
    [
      'a demoted editor',
      { kind: 'user', sub: '602', ver: 1 },
      { kind: 'user', subject: '602', minVersion: 2 },
    ],
    [
      'a session that ended',
      { kind: 'user', sub: '603', ver: 1, sid: '9' },
      { kind: 'session', subject: '9', minVersion: null },
    ],
    [
      'a service account',
      { kind: 'service', sub: '604', ver: 1 },
      { kind: 'service', subject: '604', minVersion: 2 },
    ],
  ] as const;

  it.each(revocations)(
    'ends with the tokens of %s, also as a preview token',
    async (_, holder, revocation) => {
      const { listId, tenantId } = await tenantWithList();
      const formId = newId();
      const claims = { tenantId, formId, lists: [listId], holder };
      const tokens = [harness.formToken(claims), harness.formToken({ ...claims, isPreview: true })];
      const newer = harness.formToken({ ...claims, holder: { kind: 'user', sub: '605', ver: 7 } });
      for (const token of tokens) expect((await search(token, formId, listId)).status).toBe(200);
      harness.own.revoke(revocation);
      await eventually(
        async () => {
          for (const token of tokens)
            for (const verb of ['search', 'display-values'])
              expect(await search(token, formId, listId, verb)).toMatchObject({
                status: 401,
                body: { errorCode: 'invalid_token' },
              });
        },
        { timeoutMs: 15_000 },
      );
      expect((await search(newer, formId, listId)).status).toBe(200);
    },
  );
});

describe('management', () => {
  const routes = (id: string): [string, string, unknown?][] => [
    ['GET', `/api/data-lists/${id}`],
    ['PATCH', `/api/data-lists/${id}`, { name: 'x' }],
    ['DELETE', `/api/data-lists/${id}`],
    ['POST', `/api/data-lists/${id}/locales`, { locale: 'nl' }],
    ['DELETE', `/api/data-lists/${id}/locales/nl`],
    ['PUT', `/api/data-lists/${id}/default-locale`, { defaultLocale: 'nl' }],
    ['GET', `/api/data-lists/${id}/items`],
    ['GET', `/api/data-lists/${id}/forms`],
    ['PUT', `/api/data-lists/${id}/import`, { items }],
    ['POST', `/api/data-lists/${id}/export`, {}],
    ['GET', `/api/data-lists/${id}/versions`],
    ['POST', `/api/data-lists/${id}/versions/1/restore`],
  ];

  it('answers 404 for a list of another tenant, on every route, and changes nothing', async () => {
    const { admin, listId } = await tenantWithList();
    const stranger = harness.newTenant();
    for (const [method, path, body] of routes(listId)) {
      const reply = await stranger.request(method, path, body);
      expect([method, path, reply.status]).toEqual([method, path, 404]);
    }
    expect((await admin.get<DataListView>(`/api/data-lists/${listId}`)).body).toMatchObject({
      revision: '2',
      items,
    });
    expect((await stranger.get<{ totalRecords: number }>('/api/data-lists')).body.totalRecords).toBe(0);
  });

  it('answers 401 without a token, on every route', async () => {
    const anonymous = client(harness.service.url, null);
    const all = [
      ...routes('1'),
      ['GET', '/api/data-lists'],
      ['POST', '/api/data-lists', { name: 'x' }],
    ] as const;
    for (const [method, path, body] of all) {
      const reply = await anonymous.request(method, path, body);
      expect([method, path, reply.status]).toEqual([method, path, 401]);
    }
  });

  it('lets a viewer read and not write, an integration neither', async () => {
    const { listId, tenantId } = await tenantWithList();
    const viewer = harness.clientOf(tenantId, ['Viewer']);
    expect((await viewer.get(`/api/data-lists/${listId}`)).status).toBe(200);
    expect((await viewer.request('POST', `/api/data-lists/${listId}/export`)).status).toBe(200);
    expect((await viewer.request('PUT', `/api/data-lists/${listId}/import`, { items })).status).toBe(403);
    expect((await harness.clientOf(tenantId, ['Integration']).get(`/api/data-lists/${listId}`)).status).toBe(
      403,
    );
  });

  it('is not opened by a form-access token', async () => {
    const { listId, tenantId } = await tenantWithList();
    const token = harness.formToken({ tenantId, formId: newId(), lists: [listId] });
    expect((await client(harness.service.url, token).get(`/api/data-lists/${listId}`)).status).toBe(401);
  });

  it.each(['0', '-1', 'abc', '9223372036854775808', '1.5', '%00', '1e3'])(
    'answers 400 for the id %s',
    async (id) => {
      expect((await harness.newTenant().get(`/api/data-lists/${id}`)).status).toBe(400);
    },
  );
});

describe.each(['search', 'display-values'])('public %s', (verb) => {
  it('needs a form-access token', async () => {
    const { listId, tenantId } = await tenantWithList();
    const formId = newId();
    const lists = [listId];
    expect((await search(null, formId, listId, verb)).status).toBe(401);
    expect((await search('nonsense', formId, listId, verb)).status).toBe(401);
    // The token comes before a fault of the query, as everywhere.
    expect((await search(null, formId, listId, `${verb}?nothing=1&x`)).status).toBe(401);
    expect((await search(null, 'x', listId, verb)).status).toBe(401);
    const claims = { tid: tenantId, rid: formId, lists };
    expect((await search(harness.own.token(claims), formId, listId, verb)).status).toBe(401);
    expect((await search(harness.forms.token(claims, { forged: true }), formId, listId, verb)).status).toBe(
      401,
    );
    expect(
      (await search(harness.forms.token(claims, { expiresInSeconds: -600 }), formId, listId, verb)).status,
    ).toBe(401);
    expect(
      (await search(harness.forms.token({ ...claims, aud: 'canvass-api' }), formId, listId, verb)).status,
    ).toBe(401);
    expect((await search(harness.formToken({ tenantId, formId, lists }), formId, listId, verb)).status).toBe(
      200,
    );
  });

  it('never lets the token of form A read a list that only form B names', async () => {
    const { admin, listId, tenantId } = await tenantWithList();
    const other = await admin.createList();
    const [formA, formB] = [newId(), newId()];
    const tokenA = harness.formToken({ tenantId, formId: formA, lists: [other.id] });
    expect((await search(tokenA, formA, listId, verb)).status).toBe(404);
    expect((await search(tokenA, formB, listId, verb)).status).toBe(403);
    // Also when the service knows that form B names it.
    harness.publishForm('form.created', { id: formB, dataListIds: [listId] }, tenantId, '1');
    const tokenB = harness.formToken({ tenantId, formId: formB, lists: [listId] });
    expect((await search(tokenB, formB, listId, verb)).status).toBe(200);
    expect((await search(tokenA, formA, listId, verb)).status).toBe(404);
  });

  it("never reads another tenant's list, whatever the token names", async () => {
    const { listId } = await tenantWithList();
    const formId = newId();
    const token = harness.formToken({ tenantId: newId(), formId, lists: [listId] });
    expect((await search(token, formId, listId, verb)).status).toBe(404);
  });

  it('follows the form: list taken away, disabled, enabled, deleted', async () => {
    const { listId, tenantId } = await tenantWithList();
    const formId = newId();
    const token = harness.formToken({ tenantId, formId, lists: [listId] });
    const becomes = (status: number) =>
      eventually(async () => (await search(token, formId, listId, verb)).status === status);
    const publish = (type: string, revision: number, form: object) =>
      harness.publishForm(type, { id: formId, dataListIds: [listId], ...form }, tenantId, String(revision));
    publish('form.updated', 2, { dataListIds: [] });
    await becomes(404);
    publish('form.updated', 3, {});
    await becomes(200);
    publish('form.enabled_state_changed', 4, { isEnabled: false });
    await becomes(403);
    publish('form.updated', 5, {});
    await becomes(200);
    publish('form.deleted', 6, {});
    await becomes(404);
  });

  it('ends an anonymous token when the form becomes private, and no other', async () => {
    const { listId, tenantId } = await tenantWithList();
    const formId = newId();
    const claims = { tenantId, formId, lists: [listId], revision: '1' };
    const statusOf = async (isAnonymous: boolean) =>
      (await search(harness.formToken({ ...claims, isAnonymous }), formId, listId, verb)).status;
    const form = { id: formId, dataListIds: [listId] };
    harness.publishForm('form.created', { ...form, isPublic: true }, tenantId, '1');
    expect(await statusOf(true)).toBe(200);
    harness.publishForm('form.updated', { ...form, isPublic: false }, tenantId, '2');
    await eventually(async () => expect(await statusOf(true)).toBe(403));
    expect(await statusOf(false)).toBe(200);
  });

  it('lets a preview token read lists that the form does not name, until the form is deleted', async () => {
    const { listId, tenantId } = await tenantWithList();
    const formId = newId();
    const claims = { tenantId, formId, lists: [listId], revision: '1' };
    const statusOf = async (isPreview: boolean) =>
      (await search(harness.formToken({ ...claims, isPreview }), formId, listId, verb)).status;
    const form = { id: formId, dataListIds: [], isEnabled: false };
    harness.publishForm('form.created', form, tenantId, '1');
    await eventually(async () => expect(await statusOf(false)).toBe(403));
    expect(await statusOf(true)).toBe(200);
    const ofOther = harness.formToken({ ...claims, formId: newId(), isPreview: true });
    expect((await search(ofOther, formId, listId, verb)).status).toBe(403);
    const ofStranger = harness.formToken({ ...claims, tenantId: newId(), isPreview: true });
    expect((await search(ofStranger, formId, listId, verb)).status).toBe(404);
    harness.publishForm('form.deleted', form, tenantId, '2');
    await eventually(async () => expect(await statusOf(true)).toBe(404));
  });

  it('is opened at once by a token signed after a change whose event has not arrived', async () => {
    const { admin, listId, tenantId } = await tenantWithList();
    const [formId, other] = [newId(), newId()];
    const lists = [listId];
    const tokenOf = (revision: string) => harness.formToken({ tenantId, formId, lists, revision });
    const statusWith = async (revision: string) =>
      (await search(tokenOf(revision), formId, listId, verb)).status;
    harness.publishForm('form.created', { id: formId, dataListIds: [], isEnabled: false }, tenantId, '1');
    harness.publishForm('form.created', { id: other, dataListIds: lists }, tenantId, '1');
    await eventually(async () => {
      const { body } = await admin.get<{ total: number }>(`/api/data-lists/${listId}/forms?total=exact`);
      expect(body.total).toBe(1);
    });
    await eventually(async () => expect(await statusWith('1')).toBe(403));
    expect(await statusWith('2')).toBe(200);
    // What came after it is known in its turn.
    harness.publishForm('form.updated', { id: formId, dataListIds: [] }, tenantId, '3');
    await eventually(async () => expect(await statusWith('2')).toBe(404));
    expect(await statusWith('3')).toBe(404);
    expect(await statusWith('4')).toBe(200);
    expect(
      (await search(harness.forms.token({ tid: tenantId, rid: formId, lists, rev: 4 }), formId, listId, verb))
        .status,
    ).toBe(401);
  });

  it('is not reopened by a late older event', async () => {
    const { admin, listId, tenantId } = await tenantWithList();
    const formId = newId();
    const marker = newId();
    const token = harness.formToken({ tenantId, formId, lists: [listId] });
    const older = newId();
    harness.publishForm('form.deleted', { id: formId, dataListIds: [listId] }, tenantId, '10');
    harness.publishForm('form.updated', { id: formId, dataListIds: [listId] }, tenantId, '9', older);
    harness.publishForm('form.webhook_settings_changed', { id: formId }, tenantId, '11');
    harness.publishForm('form.created', { id: marker, dataListIds: [listId] }, tenantId, '1');
    await eventually(async () => {
      const { body } = await admin.get<{ items: { id: string }[] }>(`/api/data-lists/${listId}/forms`);
      expect(body.items.map((form) => form.id)).toEqual([marker]);
    });
    expect((await search(token, formId, listId, verb)).status).toBe(404);
  });
});

it('reports its health, including database and RabbitMQ', async () => {
  await eventually(async () => {
    const { body } = await client(harness.service.url, null).get<{
      status: string;
      checks: { name: string }[];
    }>('/health/detail');
    expect(body.status).toBe('Healthy');
    expect(body.checks.map((check) => check.name).sort()).toEqual([
      'database',
      'outbox',
      'rabbitmq',
      'revocations',
      'service-self',
    ]);
  });
});

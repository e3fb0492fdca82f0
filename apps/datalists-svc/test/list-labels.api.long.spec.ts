import { createServiceTokens } from '@canvass/auth';
import type { DataListItem } from '@canvass/contracts';
import { internalSecret, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ KeptVersions: 3 });
});
afterAll(() => harness.close());

interface Labels {
  value: string;
  current: string | null;
  history: { from: string; text: string | null }[];
}

async function ask(body: object, token = createServiceTokens(internalSecret).sign('submissions-svc')) {
  const response = await fetch(`${harness.service.internalUrl}/internal/list-labels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { lists: { id: string; values: Labels[] }[] };
  return { status: response.status, ...answer };
}

const item = (value: string, text: string, de?: string): DataListItem => ({
  value,
  labels: { default: text, ...(de !== undefined && { de }) },
});

it('gives labels in a language, then and now, of several lists at once', async () => {
  const admin = harness.newTenant();
  const lists = [];
  for (const texts of [
    ['Ceylon', 'Sri Lanka'],
    ['Burma', 'Myanmar'],
  ]) {
    const { id } = await admin.createList({ availableLocales: ['de'] });
    for (const text of texts) await admin.importItems(id, [item('A', text, `${text} (de)`), item('B', 'b')]);
    lists.push({ id, values: ['A', 'B', 'C'] });
  }
  const { status, lists: found } = await ask({ tenantId: admin.tenantId, locale: 'de-AT', lists });
  expect(status).toBe(200);
  const texts = found.map(({ values }) =>
    values.map(({ current, history }) => [current, history.map(({ text }) => text)]),
  );
  expect(texts).toEqual([
    [
      ['Sri Lanka (de)', ['Ceylon (de)', 'Sri Lanka (de)']],
      ['b', ['b']],
      [null, [null]],
    ],
    [
      ['Myanmar (de)', ['Burma (de)', 'Myanmar (de)']],
      ['b', ['b']],
      [null, [null]],
    ],
  ]);
  const times = found[0]!.values[0]!.history.map(({ from }) => from);
  expect(times).toEqual([...times].sort());
});

it('keeps what the kept versions know, also of a removed value', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList({});
  for (const text of ['one', 'two', 'three', 'four']) await admin.importItems(id, [item('A', text)]);
  await admin.importItems(id, [item('B', 'b')]);
  const { lists } = await ask({ tenantId: admin.tenantId, locale: '', lists: [{ id, values: ['A'] }] });
  const [labels] = lists[0]!.values;
  expect([labels!.current, labels!.history.map(({ text }) => text)]).toEqual([null, ['three', 'four', null]]);
});

it('answers services only, and only of the tenant that they name', async () => {
  const [admin, other] = [harness.newTenant(), harness.newTenant()];
  const { id } = await admin.createList({});
  await admin.importItems(id, [item('A', 'a')]);
  const asked = { tenantId: other.tenantId, locale: '', lists: [{ id, values: ['A'] }] };
  expect((await ask(asked)).lists).toEqual([]);
  expect((await ask(asked, 'forged')).status).toBe(401);
});

it('finds 2,000 values in a list of 200,000 by its index', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList({});
  const items = Array.from({ length: 200_000 }, (_, n) => item(`v${n}`, `label ${n}`));
  await admin.importItems(id, items);
  const values = items.slice(0, 2_000).map(({ value }) => value);
  const { lists } = await ask({ tenantId: admin.tenantId, locale: '', lists: [{ id, values }] });
  expect(lists[0]!.values.map(({ current }) => current)).toEqual(values.map((_, n) => `label ${n}`));
});

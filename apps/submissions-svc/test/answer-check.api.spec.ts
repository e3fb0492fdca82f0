// cspell:ignore beantworten diese frage
import { startHarness, tenantOf, type Harness } from './harness';
import { startListService } from './list-service';
import { byToken, pathOf, submissionCalls } from './submission-calls';

let test: Harness;
let lists: Awaited<ReturnType<typeof startListService>>;
beforeAll(async () => {
  lists = await startListService();
  test = await startHarness({ dataLists: lists.url });
});
afterAll(async () => {
  await test.close();
  await lists.close();
});

const { anonymous } = submissionCalls(() => test);

const definition = {
  elements: [
    { type: 'text', name: 'age', inputType: 'number', isRequired: true, max: 120 },
    { type: 'dropdown', name: 'kind', choices: ['a', 'b'] },
    { type: 'text', name: 'why', visibleIf: "{kind} = 'b'", isRequired: true },
  ],
};
const bad = { jsonData: JSON.stringify({ age: 'abc', kind: 'x', other: 1 }), isComplete: true };
const good = { jsonData: JSON.stringify({ age: 7, kind: 'a' }), isComplete: true };
const faults = [
  { question: 'age', rule: 'type' },
  { question: 'kind', rule: 'choice' },
  { question: 'other', rule: 'unknown' },
];
const inOrder = (list: unknown) =>
  (list as { question: string }[]).toSorted((a, b) => (a.question < b.question ? -1 : 1));

type Stored = Record<string, string> & { answerFaults: object[] | null };

describe('answers that the form does not permit', () => {
  it('are stored as faults with `report`, the default, and found by a filter', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const { body } = await anonymous().post(pathOf(formId), bad);
    expect(body).not.toHaveProperty('answerFaults');
    const stored = await tenant.admin.get<Stored>(`${pathOf(formId)}/${String(body['id'])}`);
    expect(inOrder(stored.body.answerFaults)).toEqual(faults);
    await anonymous().post(pathOf(formId), good);
    await anonymous().post(pathOf(formId), {});
    for (const state of ['failed', 'passed', 'unchecked']) {
      const found = await tenant.admin.get<{ items: Stored[] }>(
        `${pathOf(formId)}?filter=answerCheck:${state}&fields=id,answerFaults`,
      );
      expect(found.body.items).toHaveLength(1);
      expect(found.body.items[0]!.answerFaults?.length).toBe({ failed: 3, passed: 0 }[state]);
    }
    for (const { data } of await test.events({ entityId: String(body['id']) }))
      expect(data).not.toHaveProperty('answerFaults');
  });

  it('are a 400 with a violation for each question with `enforce`, and nothing is stored', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition, answerCheck: 'enforce' });
    const crm = tenant.as('Integration');
    for (const create of [
      () => anonymous().post(pathOf(formId), bad),
      () => tenant.user().post(pathOf(formId), bad, { 'idempotency-key': crypto.randomUUID() }),
      () => crm.post(`${pathOf(formId)}/onbehalf`, bad),
      () => tenant.admin.post(pathOf(formId), { ...bad, isTest: true }),
    ]) {
      const { status, body } = await create();
      expect([status, body['errorCode']]).toEqual([400, 'validation_failed']);
      expect(Object.keys(body['errors'] as object).toSorted()).toEqual(
        faults.map(({ question }) => `jsonData.${question}`),
      );
      expect(body['violations']).toContainEqual(
        expect.objectContaining({ path: 'jsonData.age', rule: 'answer.type' }),
      );
    }
    expect((await tenant.admin.get(pathOf(formId))).body['items']).toEqual([]);
    expect((await anonymous().post(pathOf(formId), { ...good, isTest: undefined })).status).toBe(201);
    expect((await anonymous().post(pathOf(formId), { jsonData: bad.jsonData })).status).toBe(201);
    const screened = { ...bad, collectionOutcome: 'screen_out' };
    expect((await anonymous().post(pathOf(formId), screened)).status).toBe(201);
  });

  it('are found in the stored answers of a save that completes, and in corrections', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition, answerCheck: 'enforce' });
    const begun = await anonymous().post<Stored>(pathOf(formId), { jsonData: bad.jsonData });
    const held = byToken(formId, begun.body['token']);
    const one = `${pathOf(formId)}/${begun.body['id']}`;
    expect((await anonymous().patch(held, { isComplete: true })).status).toBe(400);
    expect((await tenant.admin.patch(one, { isComplete: true })).status).toBe(400);
    expect((await anonymous().patch(held, good)).status).toBe(200);
    expect((await tenant.admin.patch(one, { jsonData: bad.jsonData })).status).toBe(400);
    expect((await tenant.admin.patch(one, { metadata: '{"a":1}' })).status).toBe(200);
    expect((await tenant.admin.get<Stored>(one)).body.answerFaults).toEqual([]);
    await tenant.admin.patch(`/api/forms/${formId}`, { answerCheck: 'report' });
    expect((await tenant.admin.patch(one, { jsonData: bad.jsonData })).status).toBe(200);
    expect((await tenant.admin.get<Stored>(one)).body.answerFaults).toHaveLength(3);
    await tenant.admin.patch(`/api/forms/${formId}`, { answerCheck: 'off' });
    expect((await tenant.admin.patch(one, good)).status).toBe(200);
    expect((await tenant.admin.get<Stored>(one)).body.answerFaults).toBeNull();
  });

  it('do not complete what another save has changed after the check', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition, answerCheck: 'enforce' });
    for (let round = 0; round < 20; round++) {
      const begun = await anonymous().post<Stored>(pathOf(formId), { jsonData: good.jsonData });
      const held = byToken(formId, begun.body['token']);
      const one = `${pathOf(formId)}/${begun.body['id']}`;
      await Promise.all([
        anonymous().patch(held, { isComplete: true }),
        tenant.admin.patch(one, { jsonData: bad.jsonData }),
      ]);
      const { body } = await tenant.admin.get<Stored>(one);
      expect([body['isComplete'], body['jsonData'] === bad.jsonData]).not.toEqual([true, true]);
    }
  });

  it('of lists are asked for at once; without datalists-svc `enforce` refuses, `report` does not check', async () => {
    const tenant = tenantOf(test);
    const elements = [
      { type: 'tagbox', name: 'cities', dataList: '1' },
      {
        type: 'paneldynamic',
        name: 'trips',
        templateElements: [{ type: 'dropdown', name: 'to', dataList: '2' }],
      },
    ];
    lists.set('1', 'OSL', ['2020-01-01T00:00:00.000Z', 'Oslo']);
    lists.set('2', 'BER', ['2020-01-01T00:00:00.000Z', 'Berlin']);
    const formId = await tenant.form({ definition: { elements }, answerCheck: 'enforce' });
    const complete = (cities: string[], to: string) => {
      const jsonData = JSON.stringify({ cities, trips: [{ to: 'BER' }, { to }] });
      return anonymous().post<Stored>(pathOf(formId), { jsonData, isComplete: true });
    };
    lists.requests.length = 0;
    expect((await complete(['OSL'], 'BER')).status).toBe(201);
    expect(lists.requests).toHaveLength(1);
    const refused = await complete(['OSL', 'NIX'], 'NIX');
    expect(Object.keys(refused.body['errors']!)).toEqual(['jsonData.cities', 'jsonData.trips']);
    lists.setAway(true);
    try {
      const away = await complete(['OSL'], 'BER');
      expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
      await tenant.admin.patch(`/api/forms/${formId}`, { answerCheck: 'report' });
      const { status, body } = await complete(['NIX'], 'BER');
      expect(status).toBe(201);
      const stored = await tenant.admin.get<Stored>(`${pathOf(formId)}/${body['id']}`);
      expect(stored.body.answerFaults).toBeNull();
    } finally {
      lists.setAway(false);
    }
  });

  it('are erased with the submission', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const { body } = await anonymous().post<Stored>(pathOf(formId), bad);
    expect((await tenant.admin.delete(`${pathOf(formId)}/${body['id']}?erase=true`)).status).toBe(204);
    const [row] = await test.db.query<{ answer_faults: unknown }>(
      'select answer_faults from submissions where id = $1',
      [body['id']],
    );
    expect(row!.answer_faults).toBeNull();
  });

  it('have words in the language of the form', async () => {
    const formId = await tenantOf(test).form({
      definition: { locale: 'de', ...definition },
      answerCheck: 'enforce',
    });
    const { body } = await anonymous().post(pathOf(formId), { isComplete: true });
    expect(body['violations']).toEqual([
      {
        path: 'jsonData.age',
        rule: 'answer.required',
        params: {},
        message: 'Bitte beantworten Sie diese Frage.',
      },
    ]);
  });
});

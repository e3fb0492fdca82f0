import { client, startHarness, tenantOf, type Harness } from './harness';
import { pathOf } from './submission-calls';

const limitMs = 1_000;
let test: Harness;
beforeAll(async () => {
  test = await startHarness({ answerCheck: { LimitMs: limitMs, RefusedSeconds: 3_600 } });
});
afterAll(() => test.close());

const deep = (levels: number) => `${'('.repeat(levels)}{a}${' + 1)'.repeat(levels)} > 0`;
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ type: 'text', name: `q${n}` }));
const columns = Array.from({ length: 200 }, (_, n) => ({ name: `c${n}`, cellType: 'dropdown' }));
const text = (members: object) => ({ elements: [{ type: 'text', name: 'a', ...members }] });

const hostile: Record<string, [definition: object, answers: object]> = {
  'a regular expression that backtracks': [
    text({ validators: [{ type: 'regex', regex: '^(([a-z])+.)+[A-Z]([a-z])+$' }] }),
    { a: 'a'.repeat(60) },
  ],
  'a deep expression': [text({ visibleIf: deep(3_000) }), { a: 1 }],
  '20,000 elements': [{ elements: many(20_000) }, { q1: 'x' }],
  'a huge table': [
    {
      elements: [
        { type: 'matrixdynamic', name: 'a', rowCount: 900, maxRowCount: 1000, columns, choices: ['x', 'y'] },
      ],
    },
    { a: Array.from({ length: 900 }, () => ({ c1: 'x' })) },
  ],
};

describe('a definition that takes long', () => {
  it.each(Object.entries(hostile))(
    '%s does not delay the checks of another form',
    async (_, [definition, answers]) => {
      const tenant = tenantOf(test);
      const anonymous = client(test.service.url);
      const calm = await tenant.form({ definition: text({ isRequired: true }), answerCheck: 'enforce' });
      const complete = (formId: string, data: object) =>
        anonymous.post(pathOf(formId), { jsonData: JSON.stringify(data), isComplete: true });
      for (let n = 0; n < 5; n++) expect((await complete(calm, { a: 'x' })).status).toBe(201);

      const attacked = await tenant.form({ definition, answerCheck: 'enforce' });
      let isOver = false;
      const begin = performance.now();
      const attack = Promise.all(Array.from({ length: 4 }, () => complete(attacked, answers))).finally(
        () => (isOver = true),
      );
      const times: number[] = [];
      do {
        const start = performance.now();
        expect((await complete(calm, { a: 'x' })).status).toBe(201);
        times.push(performance.now() - start);
      } while (!isOver);
      const replies = await attack;
      const took = performance.now() - begin;
      times.sort((one, other) => one - other);
      // One check runs into the limit; those behind it are refused at once.
      const ended = replies.filter(({ status }) => status === 503);
      for (const { body } of ended) expect(body['errorCode']).toBe('answer_check_unavailable');
      if (ended.length > 0) expect((await complete(attacked, { a: 'x' })).status).toBe(503);
      // Within the run: the half of the attack is far more than a check that did not wait for it.
      expect(times[times.length >> 1]!).toBeLessThan(took / 2);
    },
  );

  it('is let through unchecked with `report`, and counted', async () => {
    const [definition, answers] = hostile['a regular expression that backtracks']!;
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const body = { jsonData: JSON.stringify(answers), isComplete: true };
    for (let n = 0; n < 2; n++) {
      const created = await client(test.service.url).post<Record<string, string>>(pathOf(formId), body);
      expect(created.status).toBe(201);
      const { body: stored } = await tenant.admin.get(`${pathOf(formId)}/${created.body['id']}`);
      expect(stored['answerFaults']).toBeNull();
    }
    const metrics = await (await fetch(`${test.service.internalUrl}/metrics`)).text();
    expect(metrics).toMatch(/answer_checks_total{mode="report",outcome="limit"[^}]*} 1\n/);
    expect(metrics).toMatch(/answer_checks_total{mode="report",outcome="refused"[^}]*} 1\n/);
  });
});

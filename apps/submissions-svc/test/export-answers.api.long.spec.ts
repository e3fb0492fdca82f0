import { eventually } from '@canvass/testing';
import Papa from 'papaparse';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { pathOf, store, submissionCalls } from './submission-calls';
import { answered, definition } from './survey-answers';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

const columns = { format: 'csv', answers: 'columns' };

const send = (tenant: Tenant, formId: string, body: object) =>
  fetch(`${test.service.url}${pathOf(formId)}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    body: JSON.stringify(body),
  });

const exported = async (tenant: Tenant, formId: string, body: object = columns) => {
  const answer = await send(tenant, formId, body);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return answer.text();
};

/** Cells of the answers by column, for each submission; empty cells are left out. */
const answersOf = async (tenant: Tenant, formId: string, body: object = columns) => {
  const { data } = Papa.parse<Record<string, string>>(await exported(tenant, formId, body), {
    header: true,
    skipEmptyLines: true,
  });
  return data.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([name, cell]) => /^answers\.|^otherAnswers$/.test(name) && cell !== ''),
    ),
  );
};

const headerOf = async (tenant: Tenant, formId: string) =>
  Papa.parse<string[]>(await exported(tenant, formId)).data[0]!;

describe('an export with answers in columns', () => {
  it('has one column per question, row and cell of the definition, in its order', async () => {
    const tenant = tenantOf(test);
    const header = await headerOf(tenant, await tenant.form({ definition }));
    expect(header.slice(header.indexOf('revision') + 1)).toEqual([
      'answers.city',
      'answers.tools',
      'answers.tools-Comment',
      'answers.returns',
      'answers.agree',
      'answers.rate.food',
      'answers.rate.room',
      'answers.use.r1.often',
      'answers.use.r1.ok',
      'answers.use.r2.often',
      'answers.use.r2.ok',
      'answers.items.what',
      'answers.items.kinds',
      'answers.people.who',
      'answers.contact.mail',
      'answers.contact.phone',
      'answers.photos',
      'otherAnswers',
    ]);
    expect(header).not.toContain('jsonData');
  });

  it('shows what the form runtime stores, by value or by label', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    await begin(formId, { jsonData: answered() });
    const byValue = {
      'answers.city': 'Oslo, N',
      'answers.tools': 'a\\|b|c|other',
      'answers.tools-Comment': "'=1+1",
      'answers.returns': '1',
      'answers.agree': 'true',
      'answers.rate.room': '0',
      'answers.use.r1.often': 'daily',
      'answers.use.r2.ok': '1',
      'answers.items.what': 'tea|a\\|b',
      'answers.items.kinds': '|[1,0]',
      'answers.people.who': 'Ada|Max',
      'answers.contact.phone': "'-5",
      'answers.photos': 'a.png',
    };
    expect(await answersOf(tenant, formId)).toEqual([byValue]);
    expect(await answersOf(tenant, formId, { ...columns, raw: true })).toEqual([
      { ...byValue, 'answers.tools-Comment': '=1+1', 'answers.contact.phone': '-5' },
    ]);
    const labels = {
      ...byValue,
      'answers.tools': 'a\\|b|See|=1+1',
      'answers.returns': 'Yes',
      'answers.agree': 'I do',
      'answers.rate.room': 'No',
      'answers.use.r2.ok': 'Yes',
      'answers.items.kinds': '|["Yes","No"]',
    };
    expect(await answersOf(tenant, formId, { ...columns, labels: true })).toEqual([labels]);
    expect(await answersOf(tenant, formId, { ...columns, labels: true, locale: 'DE-AT' })).toEqual([
      {
        ...labels,
        'answers.returns': 'Ja',
        'answers.use.r2.ok': 'Ja',
        'answers.items.kinds': '|["Ja","No"]',
      },
    ]);
  });

  it('keeps the text of numbers, and knows choices by what they are worth', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const jsonData =
      '{"city":9007199254740993,"agree":-1.0,"returns":1.0,"rate":{"food":1e400},"items":[{"what":0.10},{"kinds":[1.0,2.50]}],"old":[1E5,-0]}';
    await begin(formId, { jsonData });
    const cells = {
      'answers.city': '9007199254740993',
      'answers.agree': '-1.0',
      'answers.returns': '1.0',
      'answers.rate.food': '1e400',
      'answers.items.what': '0.10|',
      'answers.items.kinds': '|[1.0,2.50]',
      otherAnswers: '{"old":[1E5,-0]}',
    };
    expect(await answersOf(tenant, formId)).toEqual([cells]);
    expect(await answersOf(tenant, formId, { ...columns, labels: true })).toEqual([
      { ...cells, 'answers.returns': 'Yes', 'answers.items.kinds': '|["Yes",2.50]' },
    ]);
  });

  it('has no content of files, wherever they are', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const content = `data:image/png;base64,${'A'.repeat(1000)}`;
    const file = { name: 'a.png', type: 'image/png', content };
    await begin(formId, {
      jsonData: JSON.stringify({ photos: [file, { content }], old: [file], sign: content, city: { file } }),
    });
    expect(await answersOf(tenant, formId, { ...columns, raw: true })).toEqual([
      {
        'answers.city': '{"file":{"name":"a.png","type":"image/png","content":"(image/png)"}}',
        'answers.photos': 'a.png|(image/png)',
        otherAnswers:
          '{"old":[{"name":"a.png","type":"image/png","content":"(image/png)"}],"sign":"(image/png)"}',
      },
    ]);
  });

  it('loses no answer that the definition does not have, or has in another shape', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const odd = [
      '{"city":null,"old":1,"__proto__":2}',
      '{"rate":{"food":1,"gone":1},"use":"x","items":[{"what":"a"},3]}',
      '"text"',
      deep,
      '{"city":{"a":[1]},"tools":[{"b":"\\u0000"}],"agree":-1.5}',
      '{"city":"=1"}',
    ];
    for (const jsonData of odd) await store(test, formId, jsonData);
    expect(await answersOf(tenant, formId, { ...columns, raw: true })).toEqual([
      { otherAnswers: '{"old":1,"__proto__":2}' },
      {
        'answers.rate.food': '1',
        'answers.items.what': 'a|',
        'answers.items.kinds': '|',
        otherAnswers: '{"rate":{"food":1,"gone":1},"use":"x","items":[{"what":"a"},3]}',
      },
      { otherAnswers: '"text"' },
      { otherAnswers: deep },
      { 'answers.city': '{"a":[1]}', 'answers.tools': '{"b":"\\\\u0000"}', 'answers.agree': '-1.5' },
      { 'answers.city': '=1' },
    ]);
  });

  it('has at most 2000 columns, with names of at most 300 characters and no name twice', async () => {
    const tenant = tenantOf(test);
    const many = Array.from({ length: 1500 }, (_, n) => `n${n}`);
    const formId = await tenant.form({
      definition: {
        elements: [
          { type: 'matrix', name: 'a', rows: many, columns: [1] },
          { type: 'matrixdropdown', name: 'huge', rows: many, columns: many.map((name) => ({ name })) },
          { type: 'text', name: 'a.n1' },
          { type: 'text', name: 'x'.repeat(301) },
          { type: 'matrix', name: 'norows', columns: [1] },
          { type: 'matrixdynamic', name: '=1,2', columns: [{ name: 'b' }, { name: '' }, 7] },
          { type: 7, name: 'none' },
          { type: 'text' },
        ],
      },
    });
    await begin(formId, { jsonData: '{"huge":{"n1":{"n2":1}},"norows":"c"}' });
    const header = await headerOf(tenant, formId);
    expect(header.slice(header.indexOf('answers.a.n1499'))).toEqual([
      'answers.a.n1499',
      'answers.norows',
      'answers.=1,2.b',
      'otherAnswers',
    ]);
    expect(await answersOf(tenant, formId)).toEqual([
      { 'answers.norows': 'c', otherAnswers: '{"huge":{"n1":{"n2":1}}}' },
    ]);
  });

  it('filters like the list, and of an empty form is a header', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    expect((await exported(tenant, formId)).split('\r\n')).toHaveLength(2);
    for (let n = 0; n < 300; n += 1)
      await begin(formId, { jsonData: `{"city":"c${n}"}`, isComplete: n % 2 === 0 });
    const all = await answersOf(tenant, formId);
    expect(all.map((row) => row['answers.city'])).toEqual(Array.from({ length: 300 }, (_, n) => `c${n}`));
    const filter = ['isComplete:true', 'answers.city:c4|c5'];
    expect(await answersOf(tenant, formId, { ...columns, filter })).toEqual([{ 'answers.city': 'c4' }]);
  });

  it('waits for a client that does not read, and keeps next to nothing meanwhile', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ definition });
    await test.db.query(
      `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, collection_status)
       select $1, $2, false, false, 1, '{"city":"' || repeat(md5(n::text), 64) || '"}', '{}', 'in_progress' from generate_series(1, 30000) n`,
      [tenant.id, formId],
    );
    const answer = await send(tenant, formId, columns);
    const reader = answer.body!.getReader();
    await reader.read();
    const fetches = "datname = current_database() and query ~ '^fetch forward'";
    await eventually(async () => {
      const paused = `state = 'idle in transaction' and state_change < clock_timestamp() - interval '2 seconds'`;
      expect(await test.db.query(`select from pg_stat_activity where ${fetches} and ${paused}`)).toHaveLength(
        1,
      );
    });
    let bytes = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length;
    }
    expect(bytes).toBeGreaterThan(60e6);
  });

  it('names the member that does not fit', async () => {
    const tenant = tenantOf(test);
    const path = `${pathOf(await tenant.form())}/export`;
    const faults = async (body: object) => {
      const { status, body: problem } = await tenant.admin.post<{ errors: object }>(path, body);
      return [status, Object.keys(problem.errors)];
    };
    expect(await faults({ format: 'json', answers: 'columns' })).toEqual([400, ['answers']]);
    expect(await faults({ answers: 'json', labels: true, locale: 'de' })).toEqual([400, ['labels']]);
    expect(await faults({ ...columns, locale: 'de' })).toEqual([400, ['locale']]);
    expect(await faults({ answers: 'x', labels: 1, locale: 'x'.repeat(36) })).toEqual([
      400,
      ['answers', 'labels', 'locale'],
    ]);
  });
});

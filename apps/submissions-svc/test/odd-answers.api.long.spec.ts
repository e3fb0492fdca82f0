import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SubmissionsConfig } from '../src/config';
import { operate } from '../src/operate';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { bulkOf, endedJob } from './job-calls';
import { oddAnswers } from './odd-answers';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';
import { definition } from './survey-answers';

let test: Harness;
let tenant: Tenant;
let formId: string;
let submitterId: string;
/** Id of the submission of each of the odd answers. */
const ids = new Map<string, string>();
const names = Object.keys(oddAnswers);
const texts = Object.values(oddAnswers);
const { begin, anonymous } = submissionCalls(() => test);

beforeAll(async () => {
  test = await startHarness();
  tenant = tenantOf(test);
  const [first, ...pages] = definition.pages;
  const elements = [
    { type: 'text', name: 'x' },
    { type: 'matrix', name: 'y', rows: ['z'] },
  ];
  formId = await tenant.form({ definition: { pages: [{ elements }, first, ...pages] } });
  for (const [name, text] of Object.entries(oddAnswers)) {
    const { body } = await tenant.external({ sub: 'ada', name: 'Ada' }).post<Submission>(pathOf(formId), {});
    ids.set(name, body.id!);
    submitterId = body['submitterId']!;
    const values = [tenant.id, body.id, text];
    // The former answers are as odd.
    await test.db.query(
      'update submissions set json_data = $3, metadata = $3 where tenant_id = $1 and id = $2',
      values,
    );
    const { status } = await tenant.admin.patch(`${pathOf(formId)}/${body.id}`, { jsonData: '{}' });
    expect(status).toBe(200);
    await test.db.query('update submissions set json_data = $3 where tenant_id = $1 and id = $2', values);
  }
});
afterAll(() => test.close());

interface List {
  items: (Submission & { answers: Record<string, unknown> })[];
}

const raw = async (url: string, body?: object): Promise<string> => {
  const answer = await fetch(test.service.url + url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([answer.status, answer.status === 200 ? '' : text]).toEqual([200, '']);
  return text;
};

describe('odd answers that are stored', () => {
  it('are listed, whole and by path', async () => {
    const fields = 'id,answers.x,answers.y,answers.x.x,answers.x.0,answers.__proto__,answers.y.z,answers.0';
    const text = await raw(`${pathOf(formId)}?limit=100&fields=${fields}`);
    const { items } = JSON.parse(text) as List;
    const given = (name: string) => items.find(({ id }) => id === ids.get(name))!.answers;
    const tooDeep = expect.stringMatching(/^nested deeper than 100 levels/) as unknown;
    expect(items).toHaveLength(names.length);
    expect(given('too deep')).toEqual({ x: tooDeep, 'x.0': tooDeep, y: 'beside' });
    expect(given('deep objects')).toEqual({ x: tooDeep, 'x.x': tooDeep });
    expect(given('deep in a member that another one replaces')).toEqual({ x: 'last' });
    expect(given('deep at the top')).toEqual({ '0': tooDeep });
    expect(given('a number without a float')).toEqual({ x: '1e400000', y: '1e400000' });
    expect(given('such a number in a list')).toEqual({
      x: [1, '-2e999'],
      'x.0': 1,
      y: { z: '3E+999' },
      'y.z': '3E+999',
    });
    expect(given('a negative number without a float')).toEqual({ x: `-${'9'.repeat(400)}` });
    const digits = 'numbers with more digits than floats';
    expect(given(digits)).toEqual({
      x: '9007199254740993',
      y: { z: 1, w: [0.1, '123456789.123456789'] },
      'y.z': 1,
    });
    expect(text).toContain('"x":"9007199254740993","y":{"z":1.0,"w":[0.10,"123456789.123456789"]},"y.z":1.0');
    expect(given('lone surrogates')).toEqual({ x: '\ud800' });
    expect(given('zero characters')).toEqual({ x: 'a\u0000b' });
    expect(given('duplicate members')).toEqual({ x: 2 });
    expect(given('members of Object')).toEqual(JSON.parse('{"__proto__":{"x":1},"x":"own"}'));
    expect(given('a list')).toEqual({ '0': { x: 1 } });
    expect(given('strange spaces')).toEqual({ x: '1e400000', y: [] });

    const whole = (await tenant.admin.get<List>(`${pathOf(formId)}?limit=100&sortDir=asc`)).body.items;
    expect(whole.map(({ jsonData }) => jsonData)).toEqual(texts);
  });

  it('are shown one by one, with their former answers', async () => {
    for (const [name, id] of ids) {
      const one = await tenant.admin.get<Submission>(`${pathOf(formId)}/${id}`);
      expect([one.status, one.body.jsonData]).toEqual([200, oddAnswers[name]]);
      const versions = await tenant.admin.get<List>(`${pathOf(formId)}/${id}/versions`);
      expect(versions.body.items.map(({ jsonData }) => jsonData)).toEqual([oddAnswers[name]]);
    }
  });

  it.each([
    'answers.x:1e400000',
    'answers.x!:1',
    'answers.x>1',
    'answers.x.x:1',
    'answers.__proto__:1',
    'answers.y.z:null',
    'jsonData:7',
    'metadata!:7',
  ])('are searched by %s', async (filter) => {
    const { status } = await tenant.admin.get(
      `${pathOf(formId)}?limit=100&filter=${encodeURIComponent(filter)}`,
    );
    expect(status).toBe(200);
  });

  it.each([
    { format: 'csv' },
    { format: 'csv', raw: true },
    { format: 'csv', answers: 'columns' },
    { format: 'csv', answers: 'columns', raw: true },
    { format: 'csv', answers: 'columns', labels: true, locale: 'de' },
    { format: 'ndjson' },
    { format: 'json' },
    { format: 'json', filter: ['answers.x!:2'] },
  ])('are exported as %j, also by a job', async (body) => {
    const file = await raw(`${pathOf(formId)}/export`, body);
    const { body: job } = await tenant.admin.post<{ id: string }>(`${pathOf(formId)}/exports`, body);
    expect(await endedJob(tenant.admin, job.id)).toMatchObject({ state: 'done', error: null });
    const stored = await raw(`/api/exports/${job.id}/file`);
    // Each is in the file, and no number is a null.
    for (const each of [file, stored]) {
      expect(each).toContain('1e400000');
      expect(each).toContain('-2e999');
      expect(each).not.toMatch(/Infinity/);
      expect(each).toContain('['.repeat(6_000));
    }
    if (body.format === 'json') expect(JSON.parse(file)).toEqual(JSON.parse(stored));
  });

  it('are counted, and belong to what is stored of a respondent', async () => {
    expect((await tenant.admin.get(`/api/forms/${formId}/stats`)).body).toMatchObject({
      total: names.length,
    });
    const own = await tenant.admin.get<{ submissions: { submission: Submission }[] }>(
      `/api/submitters/${submitterId}/export`,
    );
    expect(own.status).toBe(200);
    expect(JSON.stringify(own.body)).toContain('1e400000');
    expect((await tenant.admin.get(`/api/submitters/${submitterId}/submissions`)).status).toBe(200);
  });

  it('are changed, deleted and restored, with events', async () => {
    for (const id of ids.values()) {
      const own = `${pathOf(formId)}/${id}`;
      expect((await tenant.admin.post(`${own}/status`, { status: 'approved' })).status).toBe(200);
      expect((await tenant.admin.delete(own)).status).toBe(204);
      expect((await tenant.admin.post(`${own}/restore`)).status).toBe(200);
      expect((await test.events({ entityId: id })).length).toBeGreaterThan(3);
    }
    const filter = { filter: ['answers.x!:1'] };
    const { body } = await tenant.admin.post<{ id: string }>(bulkOf(formId), {
      action: 'status',
      status: 'read',
      filter,
    });
    expect(await endedJob(tenant.admin, body.id)).toMatchObject({ state: 'done' });
  });

  it('are archived as they are, and erased at last', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'odd-'));
    try {
      const config = { Database: { Url: test.databaseUrl }, Quotas: {} } as Pick<
        SubmissionsConfig,
        'Database' | 'Quotas'
      >;
      const nowhere = { write: () => true };
      const command = ['tenants', 'export', '--tenant', tenant.id, '--folder', folder];
      expect(await operate(command, config, { output: nowhere, screen: nowhere })).toBe(0);
      const archive = readFileSync(path.join(folder, 'submissions-svc.ndjson'), 'utf8');
      for (const text of texts) expect(archive).toContain(JSON.stringify(text).slice(1, -1));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const [first, ...rest] = [...ids.values()];
    expect((await tenant.admin.delete(`${pathOf(formId)}/${first}?erase=true`)).status).toBe(204);
    expect((await tenant.admin.delete(`/api/submitters/${submitterId}?submissions=delete`)).status).toBe(204);
    expect((await tenant.admin.get(`${pathOf(formId)}/${rest[0]}`)).status).toBe(404);
  });
});

describe('answers and metadata that are sent', () => {
  const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const rule = 'must be nested at most 100 levels deep';
  const hidden = `{"x":${nested(101)},"x":1}`;

  it.each(['jsonData', 'metadata'])('have at most 100 levels in %s, on every route', async (member) => {
    const own = await tenant.form();
    const begun = await begin(own, { [member]: nested(100) });
    const one = `${pathOf(own)}/${begun.id}`;
    const held = { 'x-submission-token': begun['token']! };
    const integration = tenant.as('Integration');
    const send = {
      create: (body: object) => anonymous().post(pathOf(own), body),
      'on behalf': (body: object) => integration.post(`/forms/${own}/submissions/onbehalf`, body),
      put: (body: object) => tenant.admin.put(one, body),
      patch: (body: object) => tenant.admin.patch(one, body),
      'patch by token': (body: object) => anonymous().patch(byToken(own, begun['token']), body),
      'patch held': (body: object) => anonymous().patch(`${pathOf(own)}/by-token`, body, held),
    };
    for (const [route, call] of Object.entries(send)) {
      for (const text of [nested(101), hidden]) {
        const { status, body } = await call({ [member]: text });
        expect([route, status, body['errors']]).toEqual([route, 400, { [member]: [rule] }]);
      }
      const { status } = await call({ [member]: nested(100) });
      expect([route, status]).toEqual([route, /create|on behalf/.test(route) ? 201 : 200]);
    }
  });

  it('are refused if metadata is deeper after a merge with older metadata', async () => {
    const own = await tenant.form();
    const { id } = await begin(own, {});
    await test.db.query('update submissions set metadata = $3 where tenant_id = $1 and id = $2', [
      tenant.id,
      id,
      nested(6_000),
    ]);
    const one = `${pathOf(own)}/${id}`;
    const merged = await tenant.admin.patch(one, { metadata: '{"y":1}' });
    expect([merged.status, merged.body['errors']]).toEqual([400, { metadata: [`${rule} after the merge`] }]);
    expect((await tenant.admin.patch(one, { metadata: '{"x":1}' })).status).toBe(200);
  });
});

import { startHarness, tenantOf, type Harness, type Reply } from './harness';
import { eventually } from '@canvass/testing';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['department'] } });
});
afterAll(() => test.close());

const { anonymous } = submissionCalls(() => test);

interface Job {
  id: string;
  state: string;
  total: number;
  counts: Record<string, number>;
}

type Tenant = ReturnType<typeof tenantOf>;

const tokenOf = ({ id }: Tenant, role = 'Admin') => test.own.token({ tid: id, roles: [role], sub: '11' });

async function invite(
  tenant: Tenant,
  formId: string,
  file: string | Buffer,
  { query = '', type = 'text/csv', role = 'Admin' } = {},
): Promise<Reply<Job & { faults: Record<string, unknown>[] }>> {
  const answer = await fetch(`${test.service.url}/api/forms/${formId}/invitations${query}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${tokenOf(tenant, role)}` },
    body: file,
  });
  const body = (await answer.json()) as Job & { faults: Record<string, unknown>[] };
  return { status: answer.status, body, headers: answer.headers };
}

/** The rows of the file of a job, once that is done. */
async function fileOf(tenant: Tenant, started: Reply<Job>): Promise<string[][]> {
  expect(started.status).toBe(202);
  const { id } = started.body;
  await eventually(async () => {
    const { body } = await tenant.admin.get<Job>(`/api/submissions/jobs/${id}`);
    expect(body.state).toBe('done');
  });
  const file = await fetch(`${test.service.url}/api/invitations/${id}/file`, {
    headers: { authorization: `Bearer ${tokenOf(tenant)}` },
  });
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="A form links.csv"; filename*=UTF-8''A%20form%20links.csv`,
  ]);
  return (await file.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
}

const tokenIn = (link: string | undefined) => ({ 'x-submission-token': link!.split('#link=')[1]! });

describe('an invitation', () => {
  it('gives each person of a CSV file a submission with answers, and a link of their own', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    // As Excel in German writes it.
    const text =
      'externalSubjectId;displayId;profile.department;answers.city\r\nc-1;Jürgen;Research;Köln\r\nc-2;Ada;;\r\n';
    const file = Buffer.from(text, 'latin1');
    const started = await invite(tenant, formId, file, {
      query: '?pageUrl=https://forms.example.org/f/party',
    });
    expect(started.body).toMatchObject({ kind: 'submission_invitation', total: 2 });
    const [header, ...rows] = await fileOf(tenant, started);
    expect(header).toEqual([
      'authProvider',
      'externalSubjectId',
      'displayId',
      'submissionId',
      'link',
      'error',
    ]);
    expect(rows.map(([, subject, name, , , error]) => [subject, name, error])).toEqual([
      ['c-1', 'Jürgen', ''],
      ['c-2', 'Ada', ''],
    ]);
    expect(rows[0]![4]).toMatch(/^https:\/\/forms\.example\.org\/f\/party#link=l[\w-]{43}$/);
    const read = await anonymous().get<Submission>(`${pathOf(formId)}/by-token`, tokenIn(rows[0]![4]));
    expect(read.body).toMatchObject({
      id: rows[0]![3],
      jsonData: '{"city":"Köln"}',
      submitterDisplayId: 'Jürgen',
      submitterProfileSnapshot: { department: 'Research' },
      collectionStatus: 'not_started',
      linkRight: 'continue',
    });
    expect(new Set(rows.map(([, , , , link]) => link)).size).toBe(2);
  });

  it('is found by its state: not opened, begun, done', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const lines = ['a', 'b', 'c', 'd'].map((subject) =>
      JSON.stringify({ submitter: { externalSubjectId: subject, displayId: subject } }),
    );
    const type = 'application/x-ndjson';
    const [, ...rows] = await fileOf(tenant, await invite(tenant, formId, lines.join('\n'), { type }));
    await anonymous().post(pathOf(formId), {}); // without an invitation
    const path = `${pathOf(formId)}/by-token`;
    await anonymous().get(path, tokenIn(rows[1]![4]));
    await anonymous().call('PATCH', path, { jsonData: '{"a":1}' }, tokenIn(rows[2]![4]));
    await anonymous().call('PATCH', path, { isComplete: true }, tokenIn(rows[3]![4]));
    const named = async (filter: string) => {
      const { status, body } = await tenant.admin.get<{ items: Submission[] }>(
        `${pathOf(formId)}?filter=${filter}`,
      );
      expect(status).toBe(200);
      return body.items.map(({ submitterDisplayId }) => submitterDisplayId).sort();
    };
    expect(await named('invitation:not_opened')).toEqual(['a']);
    expect(await named('invitation:begun')).toEqual(['b', 'c']);
    expect(await named('invitation:done')).toEqual(['d']);
    expect(await named('invitation:null')).toEqual([null]);
    expect(await named('invitation!:done')).toHaveLength(4);
  });

  it('gives who was invited before a link to the same submission of a gated form', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const file = 'externalSubjectId,displayId\nx,X\n';
    const [, first] = await fileOf(tenant, await invite(tenant, formId, file));
    const [, second] = await fileOf(tenant, await invite(tenant, formId, file));
    expect([second![3], second![4] === first![4], second![5]]).toEqual([first![3], false, '']);
    for (const [, , , , link] of [first!, second!])
      expect((await anonymous().get(`${pathOf(formId)}/by-token`, tokenIn(link))).status).toBe(200);
  });

  it('opens no submission that a person began, unless the caller may change submissions', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const file = 'externalSubjectId,displayId\nx,X\n';
    await fileOf(tenant, await invite(tenant, formId, file));
    const [, row] = await fileOf(tenant, await invite(tenant, formId, file, { role: 'Integration' }));
    expect(row!.slice(3)).toEqual(['', '', 'submission_already_exists']);
  });

  it('keeps no token in plain text, and no person after its end', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const started = await invite(tenant, formId, 'externalSubjectId,displayId\nx,Ada\n');
    const [, row] = await fileOf(tenant, started);
    const token = row![4]!.split('#link=')[1]!;
    for (const table of ['export_parts', 'submission_links', 'jobs', 'invited_people']) {
      const rows = await test.db.query<{ text: string }>(
        `select row_to_json(t)::text as text from ${table} t where tenant_id = $1`,
        [tenant.id],
      );
      for (const { text } of rows) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(Buffer.from(token).toString('hex'));
      }
      if (table === 'invited_people') expect(rows).toEqual([]);
    }
  });

  it('refuses a file with faults as a whole, and names their lines', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const faultsOf = async (file: string, type = 'text/csv') => {
      const { status, body } = await invite(tenant, formId, file, { type });
      expect(status).toBe(400);
      return body.faults.map(({ line, code }) => [line, code]);
    };
    expect(await faultsOf('')).toEqual([[null, 'file_empty']]);
    expect(await faultsOf('externalSubjectId,displayId,mail\nx,X,y\n')).toEqual([[1, 'column_unknown']]);
    expect(await faultsOf('externalSubjectId,displayId\nx,\ny,Y\ny,Y\n')).toEqual([
      [2, 'person_invalid'],
      [4, 'person_repeated'],
    ]);
    const ndjson = 'application/x-ndjson';
    expect(await faultsOf('{"submitter":{"externalSubjectId":"x","displayId":"X"}}\n{', ndjson)).toEqual([
      [2, 'json_invalid'],
    ]);
    expect(await faultsOf('{"submitter":1,"isComplete":true}', ndjson)).toEqual([
      [1, 'person_invalid'],
      [1, 'person_invalid'],
    ]);
    for (const bad of [
      '?expiresAt=2020-01-01T00:00:00Z',
      '?pageUrl=javascript:alert(1)',
      '?pageUrl=/f/1%23x',
    ])
      expect(
        (await invite(tenant, formId, 'externalSubjectId,displayId\nx,X\n', { query: bad })).status,
      ).toBe(400);
    expect((await tenant.admin.get<{ items: unknown[] }>(pathOf(formId))).body.items).toEqual([]);
  });

  it('says in the file who could not be invited, and why', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ maxSubmissions: 1 });
    const [, ...rows] = await fileOf(
      tenant,
      await invite(tenant, formId, 'externalSubjectId,displayId\nx,=X\ny,Y\n'),
    );
    expect(rows.map(([, , name, , , error]) => [name, error])).toEqual([
      ["'=X", ''],
      ['Y', 'form_full'],
    ]);
  });

  it('ends with the erasure of a person: the file, the links and the staged rows', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const started = await invite(tenant, formId, 'externalSubjectId,displayId\nx,Ada\n');
    const [, row] = await fileOf(tenant, started);
    await tenant.admin.call('DELETE', `${pathOf(formId)}/${row![3]}?erase=true`);
    expect((await anonymous().get(`${pathOf(formId)}/by-token`, tokenIn(row![4]))).status).toBe(404);
    const file = await tenant.admin.get(`/api/invitations/${started.body.id}/file`);
    expect(file.status).toBe(409);
  });

  it('leaves out a person who is erased before the turn comes', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fileOf(tenant, await invite(tenant, formId, 'externalSubjectId,displayId\nx,Ada\n'));
    // Lines of a job that has not reached them.
    const people = [
      { externalSubjectId: 'x' },
      { externalSubjectId: 'x', authProvider: 'Crm' },
      { externalSubjectId: 'y' },
    ];
    for (const [n, submitter] of people.entries())
      await test.db.query('insert into invited_people values ($1, 1, $2, $3)', [
        tenant.id,
        n,
        JSON.stringify({ submitter }),
      ]);
    const { body } = await tenant.admin.get<{ items: { id: string }[] }>('/api/submitters');
    expect((await tenant.admin.delete(`/api/submitters/${body.items[0]!.id}?submissions=keep`)).status).toBe(
      204,
    );
    const left = await test.db.query('select position from invited_people where tenant_id = $1', [tenant.id]);
    expect(left).toEqual([{ position: 1 }, { position: 2 }]);
    await test.db.query('delete from invited_people where tenant_id = $1', [tenant.id]);
  });

  it('is of its tenant', async () => {
    const [tenant, other] = [tenantOf(test), tenantOf(test)];
    const formId = await tenant.form();
    const started = await invite(tenant, formId, 'externalSubjectId,displayId\nx,X\n');
    await fileOf(tenant, started);
    const { id } = started.body;
    expect((await other.admin.get(`/api/invitations/${id}/file`)).status).toBe(404);
    expect((await invite(other, formId, 'externalSubjectId,displayId\nx,X\n')).status).toBe(404);
  });

  it('invites a thousand in steps, each once', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const people = Array.from({ length: 1_000 }, (_, n) => `p-${n},Person ${n}`);
    const [, ...rows] = await fileOf(
      tenant,
      await invite(tenant, formId, `externalSubjectId,displayId\n${people.join('\n')}`),
    );
    expect(rows.map(([, subject]) => subject)).toEqual(people.map((line) => line.split(',')[0]));
    expect(new Set(rows.map(([, , , id]) => id)).size).toBe(1_000);
    const { body } = await tenant.admin.get<{ total: number }>(`${pathOf(formId)}?total=exact&limit=1`);
    expect(body.total).toBe(1_000);
  }, 120_000);
});

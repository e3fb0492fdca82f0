import { eventually } from '@canvass/testing';
import Papa from 'papaparse';
import { filterOf } from '../src/submissions/filter-query';
import { exportQuery } from '../src/submissions/list.sql';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept', 'urn:unit'] } });
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);

const send = (tenant: Tenant, formId: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${test.service.url}${pathOf(formId)}/export`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Rows of 2 KB that the database generates, so that a large form takes seconds. */
const fill = (tenant: Tenant, formId: string, rows: number) =>
  test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, collection_status)
     select $1, $2, false, false, n, '"' || repeat(md5(n::text), 64) || '"', '{}', 'in_progress' from generate_series(1, $3::int) n`,
    [tenant.id, formId, rows],
  );

const exportsRunning = async () => {
  const [row] = await test.db.query<{ running: string }>(
    `select count(*) as running from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query ~ '^(declare|fetch)'`,
  );
  return Number(row!.running);
};

describe('an export', () => {
  it('is the same submissions as csv, ndjson and json, in the order of ids', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ name: 'Zufriedenheit 2026; ä' });
    for (let n = 0; n < 20; n += 1) await begin(formId, { jsonData: `{"n":"${n}, \\"q\\"\\n"}` });
    const ndjson = await send(tenant, formId, { format: 'ndjson' });
    const lines = (await ndjson.text()).trimEnd().split('\n');
    const views = lines.map((line) => JSON.parse(line) as Submission);
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await (await send(tenant, formId, { format: 'json' })).json()).toEqual(views);
    const list = await tenant.admin.get<{ items: Submission[] }>(`${pathOf(formId)}?limit=100&sortDir=asc`);
    expect(views).toEqual(list.body.items);
    const csv = await send(tenant, formId, {});
    expect(csv.headers.get('content-disposition')).toBe(
      `attachment; filename="Zufriedenheit 2026_ a submissions.csv"; filename*=UTF-8''Zufriedenheit%202026%3B%20%C3%A4%20submissions.csv`,
    );
    const text = await csv.text();
    expect(text.endsWith('\r\n')).toBe(true);
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    expect(data.map((row) => row['jsonData'])).toEqual(views.map((view) => view['jsonData']));
    expect(data.map((row) => row['createdAt'])).toEqual(views.map((view) => view['createdAt']));
    expect(Object.keys(data[0]!).slice(-3)).toEqual([
      'revision',
      'submitterProfile.dept',
      'submitterProfile.urn:unit',
    ]);
  });

  it('of an empty form is a header, nothing, or an empty array', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    expect((await (await send(tenant, formId, { format: 'csv' })).text()).split('\r\n')).toHaveLength(2);
    expect(await (await send(tenant, formId, { format: 'ndjson' })).text()).toBe('');
    expect(await (await send(tenant, formId, { format: 'json' })).json()).toEqual([]);
  });

  it('neutralises cells that a spreadsheet would run, unless raw', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const cells = ['=1+1', '+1', '-1', '@x', '\t=1', 'a=1', '="a",b', '＝1'];
    for (const [n, displayId] of cells.entries()) {
      await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, {
        submitter: { externalSubjectId: `s${n}`, displayId: `x${n}`, profile: { dept: displayId } },
      });
    }
    await test.db.query(
      `update submissions set submitter_display_id = submitter_profile_snapshot ->> 'dept' where tenant_id = $1`,
      [tenant.id],
    );
    const columns = async (raw: boolean) => {
      const text = await (await send(tenant, formId, { format: 'csv', raw })).text();
      const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
      return data.map((row) => row['submitterDisplayId']);
    };
    const stored = cells.map((cell) => cell.trim());
    expect(await columns(true)).toEqual(stored);
    expect(await columns(false)).toEqual(stored.map((cell) => (/^[=+\-@＝]/.test(cell) ? `'${cell}` : cell)));
  });

  it('needs Submissions.Export, a form of the tenant and a good body', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const path = `${pathOf(formId)}/export`;
    expect((await tenant.as('Integration').post(path, {})).status).toBe(403);
    expect((await tenant.user().post(path, {})).status).toBe(403);
    expect((await tenantOf(test).admin.post(path, {})).status).toBe(404);
    const bad = await tenant.admin.post<Record<string, object>>(path, {
      format: 'xml',
      filter: 'a',
      raw: 'no',
      x: 1,
    });
    expect(Object.keys(bad.body['errors']!).sort()).toEqual(['filter', 'format', 'raw', 'x']);
  });
});

describe('a long export', () => {
  it('ends its query when the client goes away', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fill(tenant, formId, 20_000);
    const abort = new AbortController();
    const answer = await send(tenant, formId, { format: 'ndjson' }, abort.signal);
    const reader = answer.body!.getReader();
    await reader.read();
    expect(await exportsRunning()).toBe(1);
    abort.abort();
    await reader.closed.catch(() => undefined);
    await eventually(async () => expect(await exportsRunning()).toBe(0));
  });

  it('waits for a client that does not read, and keeps next to nothing meanwhile', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fill(tenant, formId, 40_000);
    const answer = await send(tenant, formId, { format: 'csv' });
    const reader = answer.body!.getReader();
    await reader.read();
    const before = process.memoryUsage().arrayBuffers;
    const held = async () => {
      const [row] = await test.db.query(
        `select from pg_stat_activity where datname = current_database() and query ~ '^fetch' and state = 'idle in transaction'`,
      );
      expect(row).toBeDefined();
    };
    for (let times = 0; times < 10; times += 1) await eventually(held);
    // Of 80 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * 1024 ** 2);
    let bytes = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      bytes += piece.value.length;
    expect(bytes).toBeGreaterThan(80e6);
  });

  it('begins without sorting the form first', async () => {
    const tenant = tenantOf(test);
    const [formId] = await Promise.all([tenant.form(), tenant.form()]);
    await fill(tenant, formId, 5_000);
    await test.db.query('analyze submissions');
    const { sql, values } = exportQuery(filterOf(tenant.id, formId, { filter: [] }, []), 's.json_data');
    const rows = await test.db.query<Record<string, string>>(
      `explain declare rows cursor for ${sql}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join();
    expect(plan).toContain('Index Scan');
    expect(plan).not.toContain('Sort');
  });

  it('ends a query that is still sorting or searching, too', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fill(tenant, formId, 1);
    // Holds the query before its first row, as a long search would.
    const hold = test.db.transaction(async (tx) => {
      await tx.query('lock table submissions in access exclusive mode');
      const abort = new AbortController();
      const answer = send(tenant, formId, { format: 'json' }, abort.signal).catch(() => 'gone');
      await eventually(async () => {
        const [row] = await tx.query(
          `select from pg_locks where not granted and relation = 'submissions'::regclass`,
        );
        expect(row).toBeDefined();
      });
      abort.abort();
      expect(await answer).toBe('gone');
      await eventually(async () => {
        const [row] = await tx.query(
          `select from pg_locks where not granted and relation = 'submissions'::regclass`,
        );
        expect(row).toBeUndefined();
      });
    });
    await hold;
    expect((await tenant.admin.get(pathOf(formId))).status).toBe(200);
  });

  it('that fails in the middle breaks the transfer', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fill(tenant, formId, 20_000);
    const answer = await send(tenant, formId, { format: 'csv' });
    const reader = answer.body!.getReader();
    await reader.read();
    await test.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'fetch%'`,
    );
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow();
    expect((await tenant.admin.get(pathOf(formId))).status).toBe(200);
  });

  it('that fails before its first byte is a problem like any other', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await fill(tenant, formId, 1);
    await test.db.query(`
      alter function submission_json(submissions) rename to submission_json_away;
      create function submission_json(submissions) returns json language plpgsql as
        $$ begin raise 'as when the time for a statement is over' using errcode = 'query_canceled'; end $$`);
    try {
      const answer = await send(tenant, formId, { format: 'ndjson' });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-disposition')).toBeNull();
    } finally {
      await test.db.query(`
        drop function submission_json(submissions);
        alter function submission_json_away(submissions) rename to submission_json`);
    }
  });
});

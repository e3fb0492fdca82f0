import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SubmissionsConfig } from '../src/config';
import { operate } from '../src/operate';
import { newTenant, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { settings } from './settings-calls';
import { byToken, pathOf, submissionCalls } from './submission-calls';

let source: Harness;
let target: Harness;
let folder: string;
beforeAll(async () => {
  [source, target] = await Promise.all([startHarness(), startHarness()]);
});
afterAll(() => Promise.all([source.close(), target.close()]));
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'tenant-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const { begin, anonymous } = submissionCalls(() => source);
const fileIn = (dir: string) => path.join(dir, 'submissions-svc.ndjson');

async function ops({ databaseUrl }: Harness, ...argv: string[]) {
  let [output, said] = ['', ''];
  const config = { Database: { Url: databaseUrl }, Quotas: {} } as Pick<
    SubmissionsConfig,
    'Database' | 'Quotas'
  >;
  const terminal = {
    output: { write: (text: string) => (output += text) },
    screen: { write: (text: string) => (said += text) },
  };
  const status = await operate([...argv, '--json'], config, terminal);
  const counts = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { table: string; rows: number });
  return { status, said, counts: Object.fromEntries(counts.map(({ table, rows }) => [table, rows])) };
}

const exported = (tenant: Tenant, dir = folder) =>
  ops(source, 'tenants', 'export', '--tenant', tenant.id, '--folder', dir);
const imported = (...options: string[]) =>
  ops(target, 'tenants', 'import', '--folder', folder, '--yes', ...options);

/** A tenant with a form of two versions, a deleted form, and four submissions. */
async function filledTenant() {
  const tenant = tenantOf(source);
  const formId = await tenant.form({
    definition: { elements: [{ type: 'text', name: 'city' }] },
    webHookSettingsJson: settings({ Url: 'https://public.example/a' }),
  });
  await tenant.admin.patch(`/api/forms/${formId}`, { definition: { elements: [] }, retentionDays: 90 });
  const gone = await tenant.form();
  await begin(gone);
  await tenant.admin.delete(`/api/forms/${gone}`);
  await tenant.external({ sub: 'ada', name: 'Ada' }).post(pathOf(formId), { isComplete: true });
  const deleted = await begin(formId);
  await tenant.admin.delete(`${pathOf(formId)}/${deleted['id']}`);
  const open = await begin(formId, { jsonData: '{"city":"Łódź"}' });
  await anonymous().patch(byToken(formId, open['token']), { jsonData: '{"city":"Wien\\n"}' });
  const made = await tenant.admin.post<{ token: string }>(`${pathOf(formId)}/${open['id']}/links`, {
    right: 'view',
  });
  await tenant.admin.post(`${pathOf(formId)}/${open['id']}/comments`, { text: 'Ring her first.' });
  return { tenant, formId, token: open['token']!, link: made.body.token };
}

it('moves forms, respondents and submissions, as the API shows them', async () => {
  const { tenant, formId, token, link } = await filledTenant();
  expect(await exported(tenant)).toMatchObject({
    status: 0,
    counts: {
      forms: 1,
      form_versions: 2,
      submitters: 1,
      submissions: 2,
      submission_versions: 1,
      submission_links: 1,
      submission_comments: 1,
    },
  });
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  expect(readFileSync(fileIn(folder), 'utf8')).not.toContain('public.example');

  await target.db.query('delete from outbox');
  // A number of administrators concerns identity-svc only.
  expect((await imported('--administrators', '3')).counts).toMatchObject({ forms: 1, submissions: 2 });
  const moved = tenantOf(target, tenant.id);
  const list = `${pathOf(formId)}?limit=50`;
  for (const at of [list, `/api/forms/${formId}/versions`, '/api/submitters'])
    expect([at, (await moved.admin.get(at)).body]).toEqual([at, (await tenant.admin.get(at)).body]);
  const form = `/api/forms/${formId}`;
  const before = (await tenant.admin.get(form)).body;
  expect((await moved.admin.get(form)).body).toEqual({ ...before, webHookSettingsJson: null });
  // The respondent continues where the link was opened before.
  const url = target.service.url;
  expect((await fetch(url + byToken(formId, link))).status).toBe(200);
  const { status } = await fetch(url + byToken(formId, token), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"isComplete":true}',
  });
  expect(status).toBe(200);
  const events = await target.events({ tenantId: tenant.id });
  expect(events.map(({ type }) => type)).toEqual(['submission.completed']);
});

it('can be repeated, also after an interruption, and changes nothing that is there', async () => {
  const { tenant, formId } = await filledTenant();
  await exported(tenant);
  const whole = readFileSync(fileIn(folder), 'utf8');
  const lines = whole.split('\n');
  writeFileSync(fileIn(folder), lines.slice(0, 4).join('\n'));
  expect((await imported()).status).toBe(0);
  const again = await imported();
  expect([again.status, again.said]).toEqual([1, expect.stringContaining(`pass --tenant ${tenant.id}`)]);
  const moved = tenantOf(target, tenant.id);
  await moved.admin.patch(`/api/forms/${formId}`, { name: 'Changed here' });
  writeFileSync(fileIn(folder), whole);
  expect((await imported('--tenant', tenant.id)).status).toBe(0);
  expect((await imported('--tenant', tenant.id)).status).toBe(0);
  expect((await moved.admin.get(`/api/forms/${formId}`)).body['name']).toBe('Changed here');
  expect((await moved.admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(2);
});

it('may have another tenant there, and refuses ids of a third one', async () => {
  const { tenant, formId } = await filledTenant();
  await exported(tenant);
  const [other, third] = [newTenant(), newTenant()];
  expect((await imported('--tenant', other)).status).toBe(0);
  expect((await tenantOf(target, other).admin.get(`${pathOf(formId)}?total=exact`)).body['total']).toBe(2);
  const again = await imported('--tenant', third);
  expect([again.status, again.said]).toEqual([1, expect.stringMatching(/1 rows of forms are in conflict/)]);
  expect((await tenantOf(target, third).admin.get('/api/forms?total=exact')).body['total']).toBe(0);
});

it('does not write over an archive, and says which line of a file is wrong', async () => {
  const tenant = tenantOf(source);
  expect((await exported(tenant)).counts).toMatchObject({ forms: 0, submissions: 0 });
  const again = await exported(tenant);
  expect([again.status, again.said]).toEqual([1, expect.stringContaining('is there already')]);

  const says = async (text: string) => {
    writeFileSync(fileIn(folder), text);
    const { status, said } = await imported();
    return [status, said.trim()];
  };
  const head = {
    format: 'canvass-tenant',
    formatVersion: 1,
    service: 'submissions-svc',
    tenantId: tenant.id,
  };
  const headed = (tables: object, more = '') => `${JSON.stringify({ ...head, tables })}\n${more}`;
  const columns = ['tenant_id', 'id', 'token_hash'];
  const rowOf = (table: string, row: object) =>
    JSON.stringify({ table, row: { tenant_id: tenant.id, current_page: 0, ...row } });
  for (const [text, reason] of [
    ['', /Line 1: the file is empty/],
    ['{}', /Line 1: this is no archive/],
    ['{"format":', /Line 1: this is not JSON/],
    [JSON.stringify({ ...head, service: 'identity-svc' }), /Line 1: this is an archive of identity-svc/],
    [headed({ forms: ['tenant_id', 'id', 'colour'] }), /forms\.colour is not known here/],
    [headed({ forms: ['id'] }), /forms lacks the column tenant_id/],
    [
      headed({ forms: ['tenant_id', 'web_hook_settings_json'] }),
      /forms\.web_hook_settings_json is not known/,
    ],
    [
      headed({ submissions: columns }, '{"table":"users","row":{}}'),
      /Line 2: "table" must be one of submissions/,
    ],
    [headed({ submissions: columns }, '{"table":"submissions"}'), /Line 2: "row" must be an object/],
    [headed({ submissions: columns }, 'x'), /Line 2: this is not JSON/],
    [
      headed({ submissions: columns }, '{"table":"submissions","row":{"tenant_id":"7"}}'),
      /Line 2: submissions\.tenant_id is not the tenant/,
    ],
    [
      headed({ submissions: columns }, rowOf('submissions', { json_data: '{"a":', metadata: '{}' })),
      /Line 2: submissions\.json_data must be valid JSON text/,
    ],
    [
      headed({ forms: ['tenant_id'] }, rowOf('forms', { name: 'F', definition: [], data_list_ids: [] })),
      /Line 2: forms\.definition must be/,
    ],
  ] as const)
    expect(await says(text)).toEqual([2, expect.stringMatching(reason)]);
  rmSync(fileIn(folder));
  const missing = await imported();
  expect([missing.status, missing.said]).toEqual([1, expect.stringContaining('does not exist')]);
});

it('is recorded in the audit trail', async () => {
  const { tenant } = await filledTenant();
  await exported(tenant);
  await imported();
  const actions = async ({ db }: Harness) =>
    (
      await db.query<{ action: string }>('select action from audit where tenant_id = $1 order by id', [
        tenant.id,
      ])
    ).map(({ action }) => action);
  expect(await actions(source)).toContain('ops.tenants_export');
  expect(await actions(target)).toContain('ops.tenants_import');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SubmissionsConfig } from '../src/config';
import { operate } from '../src/operate';
import { startHarness, tenantOf, type Harness } from './harness';
import { pathOf } from './submission-calls';

const example = path.join(__dirname, '../../../examples/answers-to-archive.mjs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'answers-'));
let test: Harness;
beforeAll(async () => void (test = await startHarness()));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.close();
});

async function importing(tenantId: string): Promise<number> {
  const config = { Database: { Url: test.databaseUrl }, Quotas: {} } as Pick<
    SubmissionsConfig,
    'Database' | 'Quotas'
  >;
  const nowhere = { write: () => true };
  const argv = ['tenants', 'import', '--folder', folder, '--tenant', tenantId, '--yes'];
  return operate(argv, config, { output: nowhere, screen: nowhere });
}

it('examples/answers-to-archive.mjs brings answers of another product in, with their times', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const file = path.join(folder, 'answers.json');
  const answers = [
    { submittedAt: '2019-03-01T09:30:00Z', respondent: 'crm-17', name: 'Ada', answers: { city: 'Oslo' } },
    { submittedAt: '2026-02-01T10:00:00Z', respondent: 'crm-17', name: 'Ada L.', answers: { city: 'Łódź' } },
    { submittedAt: '2019-03-02T09:30:00Z', answers: { city: 'Wien' } },
  ];
  writeFileSync(file, JSON.stringify(answers));
  const archive = execFileSync(process.execPath, [example, file, tenant.id, formId]);
  writeFileSync(path.join(folder, 'submissions-svc.ndjson'), archive);
  await test.db.query('delete from outbox');
  expect([await importing(tenant.id), await importing(tenant.id)]).toEqual([0, 0]);

  const { body } = await tenant.admin.get<{ items: Record<string, unknown>[] }>(pathOf(formId));
  expect(body.items).toMatchObject([
    { jsonData: '{"city":"Łódź"}', completedAt: '2026-02-01T10:00:00.000Z', submitterDisplayId: 'Ada L.' },
    { jsonData: '{"city":"Wien"}', completedAt: '2019-03-02T09:30:00.000Z', submitterId: null },
    { jsonData: '{"city":"Oslo"}', completedAt: '2019-03-01T09:30:00.000Z', submitterDisplayId: 'Ada' },
  ]);
  expect(await test.events({ tenantId: tenant.id })).toEqual([]);

  // The respondent of an integration is the one that was imported.
  const { body: next } = await tenant
    .as('Integration', { sub: '31', kind: 'service' })
    .post(`/forms/${formId}/submissions/onbehalf`, {
      submitter: { externalSubjectId: 'crm-17', displayId: 'Ada', profile: {} },
    });
  expect(next['submitterId']).toBe(body.items[0]!['submitterId']);
});

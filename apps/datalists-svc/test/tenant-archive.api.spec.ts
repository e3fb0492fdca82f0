import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '../src/config';
import { operate } from '../src/operate';
import { newId, startHarness, type Harness } from './harness';

let source: Harness;
let target: Harness;
const folder = mkdtempSync(path.join(os.tmpdir(), 'tenant-'));
beforeAll(async () => {
  [source, target] = await Promise.all([startHarness(), startHarness()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([source.close(), target.close()]);
});

async function ops({ database }: Harness, ...argv: string[]): Promise<void> {
  let said = '';
  const config = { Database: { Url: database.url }, Quotas: {} } as Pick<
    Config['Service'],
    'Database' | 'Quotas'
  >;
  const screen = { write: (text: string) => (said += text) };
  const status = await operate([...argv, '--folder', folder], config, {
    output: { write: () => true },
    screen,
  });
  expect([status, status === 0 ? '' : said]).toEqual([0, '']);
}

it('moves lists with their items and versions, and they can be searched', async () => {
  const tenantId = newId();
  const admin = source.clientOf(tenantId, ['Admin']);
  const list = await admin.createList();
  const item = (value: string) => ({ value, labels: { default: `City ${value}` } });
  expect((await admin.importItems(list.id, [item('lodz')])).status).toBe(200);
  expect((await admin.importItems(list.id, [item('lodz'), item('wien')])).status).toBe(200);

  await ops(source, 'tenants', 'export', '--tenant', tenantId);
  await ops(target, 'tenants', 'import', '--yes');
  await ops(target, 'tenants', 'import', '--yes', '--tenant', tenantId);

  const moved = target.clientOf(tenantId, ['Admin']);
  const at = `/api/data-lists/${list.id}`;
  for (const path of [at, `${at}/versions`, `${at}/items`])
    expect([path, (await moved.get(path)).body]).toEqual([path, (await admin.get(path)).body]);
  expect((await moved.find(list.id, { query: 'city' })).totalRecords).toBe(2);
  expect((await moved.request('POST', `${at}/versions/1/restore`)).status).toBe(200);
  expect((await moved.find(list.id, {})).totalRecords).toBe(1);
});

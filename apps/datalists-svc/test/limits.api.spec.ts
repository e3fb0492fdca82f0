import type { ImportProblem } from './client';
import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    MaxItems: 10,
    MaxJsonImportBytes: 4096,
    MaxStreamedImportBytes: 2048,
    MaxLabelLength: 3,
  });
});
afterAll(() => harness.close());

const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `v${n}`, labels: { default: 'L' } }));

it('hold for items, labels and bodies', async () => {
  const admin = harness.newTenant();
  const { id } = await admin.createList();
  expect((await admin.importItems(id, items(10))).status).toBe(200);
  const tooMany = await admin.importItems<ImportProblem>(id, items(11));
  expect(tooMany.body.faults).toEqual([
    {
      line: null,
      column: null,
      field: 'items[10].value',
      code: 'too_many_items',
      message: 'A list holds at most 10 items.',
    },
  ]);
  const tooLong = await admin.importCsv<ImportProblem>(id, 'value,default\na,four\n');
  expect(tooLong.body.faults[0]!.message).toBe('The label has 4 characters; at most 3 are allowed.');
  expect((await admin.importItems(id, items(100))).status).toBe(413);
  const csv = Buffer.from(`value,default\n${'a,"\n"\n'.repeat(500)}`);
  const streamed = await admin.request('PUT', `/api/data-lists/${id}/import`, csv, {
    'content-type': 'text/csv',
  });
  expect([400, 413]).toContain(streamed.status);
  expect((await admin.find(id, {})).totalRecords).toBe(10);
});

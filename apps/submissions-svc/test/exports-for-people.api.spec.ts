import Papa from 'papaparse';
import * as yauzl from 'yauzl';
import { startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { endedJob, fillForm } from './job-calls';
import { pathOf, submissionCalls } from './submission-calls';

/** Exports that people open in a spreadsheet. */

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['dept'] } });
});
afterAll(() => test.close());

const { begin } = submissionCalls(() => test);
const definition = {
  elements: [
    { type: 'text', name: 'phone' },
    { type: 'text', name: 'age', inputType: 'number' },
  ],
};

async function newForm(answers: object[]) {
  const tenant = tenantOf(test);
  const formId = await tenant.form({ definition });
  for (const answer of answers) await begin(formId, { jsonData: JSON.stringify(answer) });
  return { tenant, formId };
}

const request = (tenant: Tenant, path: string, body?: object) =>
  fetch(test.service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const exported = (tenant: Tenant, formId: string, body: object) =>
  request(tenant, `${pathOf(formId)}/export`, body);

describe('CSV for a spreadsheet', () => {
  it('has a mark, another separator and ids as text', async () => {
    const { tenant, formId } = await newForm([{ phone: '0151;2', age: 7 }, { phone: '0049151' }]);
    for (const answers of ['json', 'columns'] as const) {
      const body = { bom: true, separator: ';', idsAsText: true, answers };
      const bytes = Buffer.from(await (await exported(tenant, formId, body)).arrayBuffer());
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
      const text = bytes.toString().slice(1);
      const { data, errors } = Papa.parse<Record<string, string>>(text, {
        header: true,
        delimiter: ';',
        skipEmptyLines: true,
      });
      expect([errors, data.length, text.split('\n')[0]!.includes('id;formId;')]).toEqual([[], 2, true]);
      expect(data.map((row) => row['formId'])).toEqual([`="${formId}"`, `="${formId}"`]);
      if (answers === 'columns')
        expect(data.map((row) => [row['answers.phone'], row['answers.age']])).toEqual([
          ['0151;2', '7'],
          ['="0049151"', ''],
        ]);
    }
  });

  it('is the strict file without options', async () => {
    const { tenant, formId } = await newForm([{ phone: '0049' }]);
    const plain = await (await exported(tenant, formId, {})).text();
    const body = { bom: false, separator: ',', idsAsText: false };
    expect(await (await exported(tenant, formId, body)).text()).toBe(plain);
    expect(plain.startsWith('id,formId,isComplete,')).toBe(true);
  });

  it.each<[body: object, fields: string[]]>([
    [{ format: 'json', bom: true }, ['bom']],
    [{ format: 'xlsx', separator: ';', idsAsText: true }, ['idsAsText', 'separator']],
    [{ format: 'ndjson', answers: 'columns' }, ['answers']],
    [{ separator: ':' }, ['separator']],
    [{ bom: 'yes' }, ['bom']],
  ])('refuses %j', async (body, fields) => {
    const { tenant, formId } = await newForm([]);
    const reply = await exported(tenant, formId, body);
    const { errors } = (await reply.json()) as { errors: object };
    expect([reply.status, Object.keys(errors)]).toEqual([400, fields]);
  });
});

describe('a workbook', () => {
  const answers = [
    { phone: '=1+1', age: 41.5 },
    { phone: '0049 <ä>', age: 12345678901234567890n.toString() },
  ];

  it('has ids as text, times as times and no formulas', async () => {
    const { tenant, formId } = await newForm(answers);
    const reply = await exported(tenant, formId, { format: 'xlsx', answers: 'columns' });
    expect(reply.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(reply.headers.get('content-disposition')).toContain('.xlsx');
    const [header, ...rows] = await sheetOf(reply);
    const column = (name: string) => rows.map((row) => row[header!.indexOf(name)]);
    expect(column('formId')).toEqual([formId, formId]);
    expect(column('isComplete')).toEqual(['b:0', 'b:0']);
    expect(column('answers.phone')).toEqual(['=1+1', '0049 &lt;ä&gt;']);
    expect(column('answers.age')).toEqual(['n:41.5', '12345678901234567890']);
    const serial = Number(column('createdAt')[0]!.slice('n:'.length));
    const [first] = (await (await exported(tenant, formId, { format: 'json' })).json()) as {
      createdAt: string;
    }[];
    expect(Math.round((serial - 25_569) * 86_400_000)).toBe(Date.parse(first!.createdAt));
  });

  it('has the answers as JSON by default, and a header alone without submissions', async () => {
    const { tenant, formId } = await newForm([{ age: 1 }]);
    const [header, row] = await sheetOf(await exported(tenant, formId, { format: 'xlsx' }));
    expect(row![header!.indexOf('jsonData')]).toBe('{"age":1}');
    const empty = { format: 'xlsx', filter: ['isComplete:true'] };
    expect(await sheetOf(await exported(tenant, formId, empty))).toEqual([header]);
  });

  it('is written by a job, too', async () => {
    const { tenant, formId } = await newForm(answers);
    await fillForm(test, tenant, formId, 1_100);
    const body = { format: 'xlsx', answers: 'columns' };
    const job = await tenant.admin.post<{ id: string }>(`${pathOf(formId)}/exports`, body);
    expect(job.status).toBe(202);
    await endedJob(tenant.admin, job.body.id);
    const rows = await sheetOf(await request(tenant, `/api/exports/${job.body.id}/file`));
    expect(rows).toHaveLength(1_103);
    expect(rows).toEqual(await sheetOf(await exported(tenant, formId, body)));
  });
});

/** The cells of a workbook as texts; `n:` and `b:` before numbers and truths. */
async function sheetOf(reply: Response): Promise<string[][]> {
  expect(reply.status).toBe(200);
  const zip = await yauzl.fromBufferPromise(Buffer.from(await reply.arrayBuffer()), { lazyEntries: true });
  let xml = '';
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue;
    for await (const piece of await zip.openReadStreamPromise(entry)) xml += String(piece);
  }
  return [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: string[] = [];
    for (const [, place, type, content] of row!.matchAll(
      /<c r="([A-Z]+)\d+"(?: t="(b|inlineStr)")?(?: s="\d")?>(.*?)<\/c>/gs,
    )) {
      while (placeOf(cells.length) !== place) cells.push('');
      const text = content!.replaceAll(/<[^>]*>/g, '');
      cells.push(type === 'inlineStr' ? text : `${type ?? 'n'}:${text}`);
    }
    return cells;
  });
}

/** The letters of one of the first 52 columns. */
const placeOf = (index: number) => (index < 26 ? '' : 'A') + String.fromCharCode(65 + (index % 26));

import path from 'node:path';
import { eventually } from '@canvass/testing';
import { asked, faults } from './fixtures/faulty-extractor.js';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf } from './submission-calls';

const fixture = path.join(__dirname, 'fixtures/faulty-extractor.js');
const ExtractorTimeoutMs = 200;

let extractor: Harness;
let resolver: Harness;
beforeAll(async () => {
  const team = { ProfileSnapshotFields: ['team'], ExtractorTimeoutMs };
  extractor = await startHarness({ submitter: { ...team, Extractors: [fixture] } });
  resolver = await startHarness({ submitter: { ...team, Resolver: fixture } });
});
afterAll(async () => {
  await extractor.close();
  await resolver.close();
});

const rowsOf = async (test: Harness, tenant: Tenant, formId: string) => ({
  submissions: await test.db.query('select id from submissions where form_id = $1', [formId]),
  submitters: await test.db.query('select id from submitters where tenant_id = $1', [tenant.id]),
  events: (await test.events({ tenantId: tenant.id })).filter(({ type }) => type.startsWith('submission')),
});
const nothing = { submissions: [], submitters: [], events: [] };
const failed = { status: 503, errorCode: 'submitter_resolution_failed' };
const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  errorCode: body['errorCode'],
});

describe('an extractor that fails', () => {
  it.each(faults)('%s: 503, and nothing is stored', async (fault) => {
    const tenant = tenantOf(extractor);
    const formId = await tenant.form();
    const caller = tenant.user({ fault });
    expect(outcome(await caller.post(pathOf(formId), { isComplete: true }))).toEqual(failed);
    const keyed = await caller.post(pathOf(formId), { isComplete: true }, { 'Idempotency-Key': 'k' });
    expect(outcome(keyed)).toEqual(failed);
    expect(await rowsOf(extractor, tenant, formId)).toEqual(nothing);
  });

  it('reveals nothing of the fault to the client', async () => {
    const tenant = tenantOf(extractor);
    const { body } = await tenant.user({ fault: 'throws' }).post(pathOf(await tenant.form()), {});
    expect(body['detail']).toBe('The respondent could not be identified.');
  });

  it('is asked again under the same Idempotency-Key, and a repetition does not ask it', async () => {
    const tenant = tenantOf(extractor);
    const formId = await tenant.form();
    const key = { 'Idempotency-Key': 'one' };
    const create = (fault: string) => tenant.user({ fault }).post(pathOf(formId), {}, key);
    expect(outcome(await create('throws'))).toEqual(failed);
    const made = await create('is fine');
    expect(made.status).toBe(201);
    const replayed = await create('throws');
    expect([replayed.status, replayed.body['id']]).toEqual([201, made.body['id']]);
  });

  it('leaves other respondents alone', async () => {
    const tenant = tenantOf(extractor);
    const formId = await tenant.form();
    const hanging = tenant.user({ fault: 'hangs' }).post(pathOf(formId), {});
    expect((await tenant.user().post(pathOf(formId), {})).status).toBe(201);
    expect((await hanging).status).toBe(503);
  });
});

it.each(['throws', 'hangs', 'gives nothing'])(
  'a resolver that %s: 503, and nothing is stored',
  async (fault) => {
    const tenant = tenantOf(resolver);
    const formId = await tenant.form();
    const answer = await tenant.user({ fault }).post(pathOf(formId), { isComplete: true });
    expect(outcome(answer)).toEqual(failed);
    expect(await rowsOf(resolver, tenant, formId)).toEqual(nothing);
  },
);

it('an extractor at work holds no database connection, with an Idempotency-Key too', async () => {
  const test = await startHarness({
    poolMax: 1,
    submitter: { Extractors: [fixture], ExtractorTimeoutMs: 5000 },
  });
  try {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    asked.length = 0;
    const ended: string[] = [];
    const create = tenant
      .user({ fault: 'hangs' })
      .post(pathOf(formId), {}, { 'Idempotency-Key': 'k' })
      .then(() => ended.push('create'));
    await eventually(() => asked.includes('hangs'));
    await tenant.admin.get(`/api/forms/${formId}`).then(() => ended.push('read'));
    await create;
    expect(ended).toEqual(['read', 'create']);
  } finally {
    await test.close();
  }
});

import { migrate } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import { migrations } from '../migrations';
import { client, startHarness, tenantOf, type Harness } from './harness';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ withoutSchema: true });
});
afterAll(() => test.close());

describe('a service whose schema another process migrates', () => {
  it('is alive but not ready, answers 503, and serves as soon as the schema is there', async () => {
    const { url } = test.service;
    expect((await fetch(`${url}/alive`)).status).toBe(200);
    expect((await fetch(`${url}/ready`)).status).toBe(503);
    const early = await client(url).get('/api/public/forms/1');
    expect([early.status, early.body['errorCode']]).toEqual([503, 'service_unavailable']);
    await migrate(test.databaseUrl, migrations);
    await eventually(async () => (await fetch(`${url}/ready`)).status === 200);
    expect((await client(url).get('/api/public/forms/1')).status).toBe(404);
  });
});

describe('a service with one database connection', () => {
  let small: Harness;
  beforeAll(async () => {
    small = await startHarness({ poolMax: 1 });
  });
  afterAll(() => small.close());

  it('makes its first key, and is Degraded and ready while the connection is busy', async () => {
    const tenant = tenantOf(small);
    const formId = await tenant.form();
    const patches = await small.db.transaction(async (tx) => {
      await tx.query('select from forms where id = $1 for update', [formId]);
      const waiting = [1, 2].map((n) => tenant.admin.patch(`/api/forms/${formId}`, { name: `${n}` }));
      await eventually(async () => {
        const report = await client(small.service.url).get<{ checks: object[] }>('/health/detail');
        expect(report.body.checks).toContainEqual(
          expect.objectContaining({ name: 'database', status: 'Degraded' }),
        );
      });
      await eventually(async () => (await fetch(`${small.service.url}/ready`)).status === 200);
      return waiting;
    });
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a service whose database is not there', () => {
  it('ends well when it is asked to stop', async () => {
    const waiting = await startHarness({ withoutDatabase: true });
    expect((await fetch(`${waiting.service.url}/alive`)).status).toBe(200);
    expect(await waiting.service.stop()).toBe(true); // false: it waited until the deadline
    await waiting.close();
  });
});

import { migrate } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import { migrations } from '../migrations';
import { client, startTestService, type TestService } from './service';

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ withoutSchema: true });
});
afterAll(() => test.stop());

describe('a service whose schema somebody else makes', () => {
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

  it('can be rolled back to nothing and made again', async () => {
    const names = migrations.map(({ name }) => name);
    expect(await migrate(test.databaseUrl, migrations, { direction: 'down' })).toEqual([...names].reverse());
    const left = await test.db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'submissions'::regnamespace and relname not like '%migration%'
       union all select proname from pg_proc where pronamespace = 'submissions'::regnamespace`,
    );
    expect(left).toEqual([]);
    expect(await migrate(test.databaseUrl, migrations)).toEqual(names);
  });
});

import { createDatabase, migrate } from '@canvass/postgres';
import { testDatabase } from '@canvass/testing';
import { migrations } from '../migrations';

it('migrates up, down and up again', async () => {
  const database = await testDatabase({
    template: `webhook-relay-svc empty`,
    schema: 'webhooks',
    prepare: () => Promise.resolve(),
  });
  const db = createDatabase({ Url: database.url, PoolMax: 1 });
  const tables = () =>
    db.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'webhooks'::regnamespace and relkind in ('r', 'p') and relname not like 'knex%' order by 1`,
    );
  const names = migrations.map(({ name }) => name);
  expect(await migrate(database.url, migrations)).toEqual(names);
  const after = await tables();
  expect(after.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['messages', 'waiting', 'deliveries', 'endpoints', 'settings_targets']),
  );
  await migrate(database.url, migrations, { direction: 'down' });
  expect(await tables()).toEqual([]);
  expect(await migrate(database.url, migrations)).toEqual(names);
  expect(await tables()).toEqual(after);
  await db.close();
  await database.drop();
});

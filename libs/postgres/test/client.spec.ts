import { testDatabase, type TestDatabase } from '@canvass/testing';
import pg from 'pg';
import { getHeapSpaceStatistics } from 'node:v8';
import { Client } from '../src/client';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({
    template: 'postgres-client-spec 1',
    schema: 'postgres_client_spec',
    prepare: async () => undefined,
  });
});

afterAll(() => database.drop());

async function connected<C extends pg.Client>(client: C, act: (client: C) => Promise<void>): Promise<void> {
  client.on('error', () => undefined);
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;

/** Bytes by which the old objects grow during queries, without the collections between. */
async function oldBytesOf(client: pg.Client): Promise<number> {
  let grown = 0;
  let before = oldBytes();
  for (let n = 0; n < 4_000; n += 1) {
    await client.query("select repeat('x', 2000) as text from generate_series(1, $1)", [5]);
    const now = oldBytes();
    grown += Math.max(0, now - before);
    before = now;
  }
  return grown;
}

describe('a client', () => {
  it('does not keep results among the old objects', async () => {
    let [ours, theirs] = [0, 0];
    await connected(
      new Client({ connectionString: database.url }),
      async (client) => void (ours = await oldBytesOf(client)),
    );
    await connected(
      new pg.Client({ connectionString: database.url }),
      async (client) => void (theirs = await oldBytesOf(client)),
    );
    expect(ours).toBeLessThan(theirs / 3);
  });

  it('answers texts, values and configurations', async () => {
    await connected(new Client({ connectionString: database.url }), async (client) => {
      const [text, values, config, rows] = [
        await client.query('select 1 as one'),
        await client.query('select $1::int as one', [1]),
        await client.query({ name: 'one', text: 'select $1::int as one', values: [1] }),
        await client.query({ text: 'select 1 as one', rowMode: 'array' }),
      ];
      expect([text.rows, values.rows, config.rows, rows.rows]).toEqual([
        [{ one: 1 }],
        [{ one: 1 }],
        [{ one: 1 }],
        [[1]],
      ]);
    });
  });

  it('rejects with an error whose stack names the caller', async () => {
    await connected(new Client({ connectionString: database.url }), async (client) => {
      const fails = async () => await client.query('select * from missing');
      const error: pg.DatabaseError = (await fails().catch((reason: pg.DatabaseError) => reason)) as never;
      expect(error).toBeInstanceOf(pg.DatabaseError);
      expect(error.code).toBe('42P01');
      expect(error.stack).toContain('fails');
    });
  });

  it.each([
    ['the query', {}, { query_timeout: 100 }],
    ['the connection', { query_timeout: 100 }, {}],
  ])('fails after the time limit of %s', async (_, ofConnection, ofQuery) => {
    const client = new Client({ connectionString: database.url, ...ofConnection });
    await connected(client, async () => {
      const asked = client.query({ text: 'select pg_sleep(1)', ...ofQuery });
      await expect(asked).rejects.toThrow('Query read timeout');
    });
  });
});

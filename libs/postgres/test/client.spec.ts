import { testDatabase, type TestDatabase } from '@canvass/testing';
import pg from 'pg';
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

describe('a client', () => {
  it.each([{}, { query_timeout: 1_000 }])(
    'passes a callback and no time limit to pg with %j',
    async (limit) => {
      await connected(new Client({ connectionString: database.url, ...limit }), async (client) => {
        const sent = jest.spyOn(pg.Client.prototype, 'query');
        await client.query({ text: 'select 1', ...limit });
        expect(sent.mock.calls).toEqual([[{ text: 'select 1' }, expect.any(Function)]]);
        expect(client).not.toHaveProperty('connectionParameters.query_timeout', 1_000);
        sent.mockRestore();
      });
    },
  );

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

import type pg from 'pg';

/** The oldest major version that is supported: saves use `returning old` of PostgreSQL 18. */
const oldest = 18;

/** @throws {Error} if the server is too old */
export async function assertServerVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const major = Math.floor(rows[0]!.version / 10_000);
  if (major < oldest)
    throw new Error(`Canvass needs PostgreSQL ${oldest} or later; the server is PostgreSQL ${major}.`);
}

import { Client } from 'pg';
import { stackFile } from './stack';

/**
 * All tables of all schemas of the services as text. Bytes are decoded as text, so that a search finds their
 * content.
 */
export async function databaseDump(): Promise<string> {
  const { databaseUrl } = await stackFile();
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    const { rows: columns } = await db.query<{ table: string; column: string; type: string }>(
      `select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column, data_type as type
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { table, column, type } of columns) {
      const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
      const { rows } = await db.query<{ text: string | null }>(`select ${text} as text from ${table}`);
      texts.push(`${table} ${column}`, ...rows.map((row) => row.text ?? ''));
    }
    return texts.join('\n');
  } finally {
    await db.end();
  }
}

/** Number of erasures whose copies the relay still looks for. */
export async function openErasures(): Promise<number> {
  const { databaseUrl } = await stackFile();
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    const sql = 'select count(*)::integer as open from webhooks.erasures where done_at is null';
    return (await db.query<{ open: number }>(sql)).rows[0]!.open;
  } finally {
    await db.end();
  }
}

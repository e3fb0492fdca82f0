import pg from 'pg';

/** The rights of the role of a service on tables that are not for every change. */
const fewerRights: Record<string, string> = {
  knex_migrations: 'select',
  knex_migrations_lock: 'select',
  // A row is sealed once, and the rows of an expired day are deleted; triggers permit nothing else.
  audit: 'select, insert, delete, update (day, sequence, hash)',
  audit_days: 'select, insert, update (sealed_rows, hash, dropped_at)',
};

/**
 * Gives a role the right to read and change the rows of all tables of the current schema, and to nothing
 * else. It is run by their owner, after migrations, and is safe to repeat. Does nothing if the role is the
 * owner.
 */
export async function grantRowRights(session: pg.Client, role: string): Promise<void> {
  const { rows } = await session.query<{ schema: string; owner: string; tables: string[] }>(
    `select current_schema() as schema, current_user as owner,
       array(select c.relname::text from pg_class c
             where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')) as tables`,
  );
  const { schema, owner, tables } = rows[0]!;
  if (owner === role) return;
  const [inSchema, to] = [`in schema ${pg.escapeIdentifier(schema)}`, pg.escapeIdentifier(role)];
  const limited = tables.flatMap((table) => {
    const rights = fewerRights[table];
    const name = pg.escapeIdentifier(table);
    return rights === undefined
      ? []
      : [`revoke all on table ${name} from ${to}`, `grant ${rights} on table ${name} to ${to}`];
  });
  await session.query(
    [
      `grant usage on schema ${pg.escapeIdentifier(schema)} to ${to}`,
      `grant select, insert, update, delete on all tables ${inSchema} to ${to}`,
      // `next_id()` sets its sequence to the time.
      `grant usage, select, update on all sequences ${inSchema} to ${to}`,
      `grant execute on all functions ${inSchema} to ${to}`,
      ...limited,
    ].join(';\n'),
  );
}

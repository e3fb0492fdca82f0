import { retry } from '@canvass/async';
import type pg from 'pg';
import { sqlState } from './faults';
import { sessionLimits, type SessionOptions } from './session-limits';
import type { DatabaseSettings } from './settings';

/** Two replicas that start at the same time change the same row of the catalogue. */
const concurrentUpdate = 'XX000';

/**
 * Stores the limits of the settings as defaults of the role of the session in its database, for the
 * connections that a pooler opens. They apply to new connections.
 */
export async function setRoleDefaults(
  session: pg.Client,
  settings: Pick<DatabaseSettings, 'StatementTimeoutMs' | 'IdleInTransactionTimeoutMs'>,
  options: SessionOptions,
): Promise<void> {
  const wanted = sessionLimits(settings, options);
  const store = async () => {
    const { rows } = await session.query<{ role: string; database: string; stored: string[] }>(
      `select current_user as role, current_database() as database, coalesce((
         select setconfig from pg_db_role_setting
          where setrole = (select oid from pg_roles where rolname = current_user)
            and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as stored`,
    );
    const { role, database, stored } = rows[0]!;
    for (const setting of wanted.filter((each) => !stored.includes(each))) {
      const [name, value] = setting.split('=') as [string, string];
      const ofRole = `role ${session.escapeIdentifier(role)} in database ${session.escapeIdentifier(database)}`;
      await session.query(`alter ${ofRole} set ${name} = ${session.escapeLiteral(value)}`);
    }
  };
  await retry(store, {
    when: (error) => sqlState(error) === concurrentUpdate,
    times: 10,
    delay: (failures) => Math.random() * 50 * failures,
  });
}

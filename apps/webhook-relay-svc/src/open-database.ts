import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type DatabaseSettings,
} from '@canvass/postgres';

/**
 * The relay's pool. Its tables come and go: `leases` is nearly empty whenever it is analyzed and thousands of
 * dead rows long a minute later, and on a first day all are. Every statement of the relay has an index to go
 * by, so none may plan to read a table whole (decision 0025).
 */
export const openDatabase = (
  settings: Pick<DatabaseSettings, 'Url'> & Partial<DatabaseSettings>,
  options: DatabaseOptions = {},
): Database => createDatabase(settings, { ...options, byIndexOnly: true });

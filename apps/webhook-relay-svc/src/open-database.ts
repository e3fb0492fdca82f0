import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type DatabaseSettings,
} from '@canvass/postgres';

/**
 * The relay's pool. `waiting` may be nearly empty when it is analyzed and have millions of rows a minute
 * later. Every statement of the relay has an index to use, so none may plan a sequential scan (decision
 * 0025).
 */
export const openDatabase = (
  settings: Pick<DatabaseSettings, 'Url'> & Partial<DatabaseSettings>,
  options: DatabaseOptions = {},
): Database => createDatabase(settings, { ...options, byIndexOnly: true });

import type { Database, Statement } from '@canvass/postgres';
import {
  awaitWriters,
  endResyncOfForms,
  endResyncOfSettings,
  presentMark,
  resyncForms,
  resyncFormSettings,
  resyncTenantSettings,
  type PageRow,
} from './resync.sql';

const pageSize = 200;

/** The operator commands that send the state of this service to those who keep copies of it. */
export function resyncOperations(db: Database) {
  return [
    {
      name: 'resync forms',
      about: 'Sends the current state of all forms to datalists-svc, for example after a restore.',
      changes: true,
      async run() {
        const since = await markPresent(db);
        const forms = await everyPage(db, resyncForms);
        const tenants = await db.query(endResyncOfForms({ since }));
        return { rows: [], say: `Sent ${forms} forms of ${tenants.length} tenants.` };
      },
    },
    {
      name: 'resync settings',
      about: 'Sends the webhook settings in force to the relay as new versions, for example after a restore.',
      changes: true,
      async run() {
        const since = await markPresent(db);
        const tenants = await everyPage(db, resyncTenantSettings);
        const forms = await everyPage(db, resyncFormSettings);
        await db.query(endResyncOfSettings({ since }));
        return { rows: [], say: `Sent the settings of ${tenants} tenants and ${forms} forms.` };
      },
    },
  ] as const;
}

/** An id; what has a smaller one and is committed later is rolled back or visible by now. */
async function markPresent(db: Database): Promise<string> {
  const [mark] = await db.query(presentMark());
  await db.transaction((tx) => tx.query(awaitWriters()));
  return mark!.id;
}

/** Runs a statement for page after page, each committed. Returns the number of rows. */
async function everyPage(
  db: Database,
  page: Statement<{ tenantId: string; id: string; limit: number }, PageRow>,
): Promise<number> {
  let count = 0;
  for (let last: PageRow = { tenantId: '0', id: '0' }; ;) {
    const rows: PageRow[] = await db.query(page({ tenantId: last.tenantId, id: last.id, limit: pageSize }));
    count += rows.length;
    if (rows.length < pageSize) return count;
    last = rows.at(-1)!;
  }
}

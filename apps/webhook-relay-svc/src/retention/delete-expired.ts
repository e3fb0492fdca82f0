import { sqlState, type BoundStatement } from '@canvass/postgres';
import {
  deleteExpiredOf,
  deleteExpiredRows,
  deleteExpiredWaiting,
  findDisabledEndpoints,
  isNeeded,
  type StepRow,
} from './delete-expired.sql';
import { lockedStep, type RetentionRun } from './locked-step';
import {
  createDay,
  dropDay,
  dailyTables,
  findCutoff,
  missingDays,
  olderPartitions,
  type Cutoff,
  type DailyTable,
} from './partitions.sql';

/** A relay that creates no days for so long loses nothing: the default partition takes the rows. */
const daysAhead = 7;
const rowsAtOnce = 1_000;
const checkViolation = '23514';
const minId = '-9223372036854775808';

/** Creates the missing partitions of today and the days to come; returns their names. */
export async function createDays(run: RetentionRun): Promise<string[]> {
  const created: string[] = [];
  for (const table of dailyTables) {
    for (const day of await run.db.query(missingDays({ table, ahead: daysAhead }))) {
      try {
        await lockedStep(run, (tx) => tx.query(createDay({ table, ...day })));
        created.push(day.name);
      } catch (error) {
        if (sqlState(error) !== checkViolation) throw error;
        run.logger.warn({ day: day.name }, 'the default partition has rows of this day; they stay there');
      }
    }
  }
  return created;
}

/**
 * Deletes what was made more than `keptSeconds` ago: first what waits for disabled endpoints, then the log,
 * then the messages. What waits for an enabled endpoint stays, with its message and its log, however old it
 * is.
 *
 * @returns the dropped partitions, the old ones that are held because rows of them are needed, and how many
 * rows of each kind were deleted
 */
export async function deleteExpired(run: RetentionRun, keptSeconds: number) {
  const [cutoff] = await run.db.query(findCutoff({ seconds: keptSeconds }));
  const { id, time, messagesId } = cutoff!;
  const waiting = await deleteWaitingOfDisabled(run, id);
  const deliveries = await deleteDays(run, 'deliveries', id, cutoff!);
  const messages = await deleteDays(run, 'messages', messagesId, cutoff!);
  const rows: Record<string, number> = {
    waiting,
    deliveries: deliveries.removed,
    messages: messages.removed,
  };
  for (const [kind, statement] of Object.entries(deleteExpiredRows))
    rows[kind] = await repeat(run, statement({ rows: rowsAtOnce, before: time }));
  return {
    partitions: [...deliveries.dropped, ...messages.dropped],
    held: [...deliveries.held, ...messages.held],
    ...rows,
  };
}

async function deleteWaitingOfDisabled(run: RetentionRun, id: string): Promise<number> {
  let removed = 0;
  for (let last = { tenantId: minId, id: minId }; ;) {
    const found = await run.db.query(findDisabledEndpoints({ ...last, rows: rowsAtOnce }));
    for (const endpoint of found)
      removed += await repeat(run, deleteExpiredWaiting({ ...endpoint, before: id, rows: rowsAtOnce }));
    if (found.length === 0) return removed;
    last = found.at(-1)!;
  }
}

const maxDropMs = 3_600_000;

/**
 * Drops the days whose rows nothing needs, and deletes such rows of the other days and of the default
 * partition.
 */
async function deleteDays(run: RetentionRun, table: DailyTable, id: string, { messages }: Cutoff) {
  const dropped: string[] = [];
  const held: string[] = [];
  for (const partition of await run.db.query(olderPartitions({ table, before: id }))) {
    const isDropped = await lockedStep(run, async (tx) => {
      // Keeps messages, and so deliveries, from being added between the check and the drop.
      if (table === 'messages') await tx.query(`lock table ${partition.name} in share mode`);
      await tx.limitStatements(maxDropMs);
      const limits = [partition.first ?? minId, partition.next, messages];
      const [found] = await tx.query<{ needed: boolean }>(isNeeded(table, partition.name), limits);
      if (!found!.needed) await tx.query(dropDay({ table, name: partition.name }));
      return !found!.needed;
    });
    (isDropped ? dropped : held).push(partition.name);
  }
  let removed = 0;
  for (const partition of [...held, `${table}_default`])
    removed += await deleteRows(run, table, partition, [id, rowsAtOnce, messages]);
  return { dropped, held, removed };
}

/** Deletes in small steps, each committed: none holds a lock or the vacuum for long. */
async function deleteRows(run: RetentionRun, table: DailyTable, partition: string, limits: unknown[]) {
  const text = deleteExpiredOf(table, partition);
  let removed = 0;
  for (let after: string[] | undefined = [minId, minId]; after !== undefined;) {
    const from: string[] = after;
    const [row]: StepRow[] = await lockedStep(run, (tx) => tx.query<StepRow>(text, [...from, ...limits]));
    removed += row!.removed;
    after = row!.tenant_id === null || row!.id === null ? undefined : [row!.tenant_id, row!.id];
  }
  return removed;
}

/** Repeats until a step deletes fewer rows than it may. */
async function repeat(run: RetentionRun, statement: BoundStatement<unknown>): Promise<number> {
  for (let removed = 0; ;) {
    const rows = await lockedStep(run, (tx) => tx.query(statement));
    removed += rows.length;
    if (rows.length < rowsAtOnce) return removed;
  }
}

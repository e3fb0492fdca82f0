import { sqlState, type PositionalStatement } from '@canvass/postgres';
import {
  deleteExpiredErasures,
  deleteExpiredOf,
  deleteExpiredRecoveries,
  deleteExpiredSecrets,
  deleteExpiredSettings,
  deleteExpiredWaiting,
  findDisabledEndpoints,
  hasLate,
  isWaitedFor,
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
  type CutoffRow,
  type DailyTable,
  type PartitionRow,
} from './partitions.sql';

/** A relay that creates no days for so long loses nothing: the default partition takes the rows. */
const daysAhead = 7;
const rowsAtOnce = 1_000;
const checkViolation = '23514';
const smallestId = '-9223372036854775808';

/** Creates the missing partitions of today and the days to come; returns their names. */
export async function createDays(run: RetentionRun): Promise<string[]> {
  const created: string[] = [];
  for (const table of dailyTables) {
    for (const day of await run.db.query<PartitionRow>(missingDays, [table, daysAhead])) {
      try {
        await lockedStep(run, (tx) => tx.query(createDay, [table, day.name, day.first, day.next]));
        created.push(day.name);
      } catch (error) {
        if (sqlState(error) !== checkViolation) throw error;
        run.logger.warn({ day: day.name }, 'the default partition has rows of this day; they stay there');
      }
    }
  }
  return created;
}

export interface Deleted {
  partitions: string[];
  /** Old partitions with rows that are still needed; their other rows were deleted. */
  held: string[];
  waiting: number;
  deliveries: number;
  messages: number;
  recoveries: number;
  erasures: number;
  secrets: number;
  settings: number;
}

/**
 * Deletes what was made more than `keptSeconds` ago: first what waits for disabled endpoints, then the log,
 * then the messages. What waits for an enabled endpoint stays, with its message and its log, however old it
 * is.
 */
export async function deleteExpired(run: RetentionRun, keptSeconds: number): Promise<Deleted> {
  const [cutoff] = await run.db.query<CutoffRow>(findCutoff, [keptSeconds]);
  const { id, time, messagesId } = cutoff!;
  const waiting = await deleteWaitingOfDisabled(run, id);
  const deliveries = await deleteDays(run, 'deliveries', id, cutoff!);
  const messages = await deleteDays(run, 'messages', messagesId, cutoff!);
  const all = (statement: PositionalStatement) => repeat(run, statement, [rowsAtOnce, time]);
  return {
    partitions: [...deliveries.dropped, ...messages.dropped],
    held: [...deliveries.held, ...messages.held],
    waiting,
    deliveries: deliveries.removed,
    messages: messages.removed,
    recoveries: await all(deleteExpiredRecoveries),
    erasures: await all(deleteExpiredErasures),
    secrets: await all(deleteExpiredSecrets),
    settings: await all(deleteExpiredSettings),
  };
}

async function deleteWaitingOfDisabled(run: RetentionRun, id: string): Promise<number> {
  let removed = 0;
  for (let after: [string, string] | undefined = [smallestId, smallestId]; after !== undefined;) {
    const found: { tenant_id: string; id: string }[] = await run.db.query(findDisabledEndpoints, [
      ...after,
      rowsAtOnce,
    ]);
    for (const endpoint of found)
      removed += await repeat(run, deleteExpiredWaiting, [endpoint.tenant_id, endpoint.id, id, rowsAtOnce]);
    const last = found.at(-1);
    after = last && [last.tenant_id, last.id];
  }
  return removed;
}

/**
 * Drops the days whose rows nothing needs, and deletes such rows of the other days and of the default
 * partition.
 */
async function deleteDays(run: RetentionRun, table: DailyTable, id: string, { messages }: CutoffRow) {
  const dropped: string[] = [];
  const held: string[] = [];
  for (const partition of await run.db.query<PartitionRow>(olderPartitions, [table, id])) {
    const isDropped = await lockedStep(run, async (tx) => {
      // Keeps messages, and so deliveries, from being added between the check and the drop.
      if (table === 'messages') await tx.query(`lock table ${partition.name} in share mode`);
      await tx.query('set local statement_timeout = 0');
      const range = [partition.first ?? smallestId, partition.next];
      const [waitedFor] = await tx.query<{ needed: boolean }>(isWaitedFor[table], range);
      const [late] =
        table === 'messages'
          ? await tx.query<{ needed: boolean }>(hasLate(partition.name), [messages])
          : [{ needed: false }];
      const needed = waitedFor!.needed || late!.needed;
      if (!needed) await tx.query(dropDay, [table, partition.name]);
      return !needed;
    });
    (isDropped ? dropped : held).push(partition.name);
  }
  let removed = 0;
  for (const partition of [...held, `${table}_default`])
    removed += await deleteRows(run, table, partition, [id, rowsAtOnce, messages]);
  return { dropped, held, removed };
}

/** In small steps, each committed: none holds a lock or the vacuum for long. */
async function deleteRows(run: RetentionRun, table: DailyTable, partition: string, limits: unknown[]) {
  const text = deleteExpiredOf(table, partition);
  let removed = 0;
  for (let after: string[] | undefined = [smallestId, smallestId]; after !== undefined;) {
    const from: string[] = after;
    const [row]: StepRow[] = await lockedStep(run, (tx) => tx.query<StepRow>(text, [...from, ...limits]));
    removed += row!.removed;
    after = row!.tenant_id === null || row!.id === null ? undefined : [row!.tenant_id, row!.id];
  }
  return removed;
}

/** Until a step deletes fewer rows than it may. */
async function repeat(
  run: RetentionRun,
  statement: PositionalStatement,
  values: readonly unknown[],
): Promise<number> {
  for (let removed = 0; ;) {
    const rows = await lockedStep(run, (tx) => tx.query(statement, values));
    removed += rows.length;
    if (rows.length < rowsAtOnce) return removed;
  }
}

import { sqlState } from '@canvass/postgres';
import {
  forgetDeliveries,
  forgetMessagesOf,
  forgetRecoveries,
  forgetSecrets,
  forgetSettings,
  forgetStrayAttempts,
  isNeeded,
  type StepRow,
} from './forget.sql';
import {
  createDay,
  dailyTables,
  findCutoff,
  missingDays,
  olderPartitions,
  type CutoffRow,
  type PartitionRow,
} from './partitions.sql';
import { turn, type Turn } from './turn';

/**
 * With the default partition behind them, a relay that makes no days for so long loses nothing and slows down
 * a little.
 */
const daysAhead = 7;
const rowsAtOnce = 1_000;
const checkViolation = '23514';

/** Makes the partitions of today and the days to come that are not there; gives their names. */
export async function makeDays(job: Turn): Promise<string[]> {
  const made: string[] = [];
  for (const table of dailyTables) {
    for (const day of await job.db.query<PartitionRow>(missingDays, [table, daysAhead])) {
      try {
        await turn(job, (tx) => tx.query(createDay(table, day)));
        made.push(day.name);
      } catch (error) {
        if (sqlState(error) !== checkViolation) throw error;
        job.logger.warn({ day: day.name }, 'the default partition has rows of this day; they stay there');
      }
    }
  }
  return made;
}

export interface Removed {
  partitions: string[];
  /** Days that have a message somebody still waits for; the others in them are gone. */
  held: string[];
  deliveries: number;
  messages: number;
  attempts: number;
  recoveries: number;
  secrets: number;
  settings: number;
}

/**
 * Removes what was made more than `keptSeconds` ago. First the deliveries that are final, then the attempts,
 * then the messages no delivery has any more: a message is there as long as a delivery of it is. What waits
 * stays, however old.
 */
export async function removeOld(job: Turn, keptSeconds: number): Promise<Removed> {
  const [cutoff] = await job.db.query<CutoffRow>(findCutoff, [keptSeconds]);
  const { id, time } = cutoff!;
  const deliveries = await stepThrough(job, forgetDeliveries, (after) => [after, id, rowsAtOnce]);
  const partitions = await dropAttempts(job, id);
  const attempts = await stepThrough(job, forgetStrayAttempts, (after) => [after, id, rowsAtOnce]);
  const { dropped, held, removed } = await dropMessages(job, cutoff!);
  const all = (statement: typeof forgetRecoveries) => repeat(job, statement, time);
  return {
    partitions: [...partitions, ...dropped],
    held,
    deliveries,
    messages: removed,
    attempts,
    recoveries: await all(forgetRecoveries),
    secrets: await all(forgetSecrets),
    settings: await all(forgetSettings),
  };
}

async function dropAttempts(job: Turn, id: string): Promise<string[]> {
  const old = await job.db.query<PartitionRow>(olderPartitions, ['attempts', id]);
  for (const { name } of old) await turn(job, (tx) => tx.query(`drop table ${name}`));
  return old.map(({ name }) => name);
}

async function dropMessages(job: Turn, { id, messages, messagesId }: CutoffRow) {
  const dropped: string[] = [];
  const held: string[] = [];
  for (const { name } of await job.db.query<PartitionRow>(olderPartitions, ['messages', messagesId])) {
    const isDropped = await turn(job, async (tx) => {
      // What is read here stays true until the drop: this keeps messages from coming, and deliveries only
      // come with them.
      await tx.query(`lock table ${name} in share mode`);
      await tx.query('set local statement_timeout = 0');
      const [row] = await tx.query<{ needed: boolean }>(isNeeded(name), [messages, id]);
      if (!row!.needed) await tx.query(`drop table ${name}`);
      return !row!.needed;
    });
    (isDropped ? dropped : held).push(name);
  }
  let removed = 0;
  for (const partition of [...held, 'messages_default'])
    removed += await stepThrough(job, forgetMessagesOf(partition), (after) => [
      after,
      rowsAtOnce,
      messages,
      id,
    ]);
  return { dropped, held, removed };
}

/** In small steps, each committed: none holds a lock or the vacuum for long. */
async function stepThrough(
  job: Turn,
  statement: typeof forgetDeliveries | string,
  values: (after: string) => readonly unknown[],
): Promise<number> {
  let removed = 0;
  for (let after: string | null = '-9223372036854775808'; after !== null;) {
    const from: string = after;
    const [row]: StepRow[] = await turn(job, (tx) => tx.query<StepRow>(statement, values(from)));
    removed += row!.removed;
    after = row!.last;
  }
  return removed;
}

async function repeat(job: Turn, statement: typeof forgetRecoveries, time: string): Promise<number> {
  for (let removed = 0; ;) {
    const rows = await turn(job, (tx) => tx.query(statement, [rowsAtOnce, time]));
    removed += rows.length;
    if (rows.length < rowsAtOnce) return removed;
  }
}

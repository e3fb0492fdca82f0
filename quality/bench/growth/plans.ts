import type { Client } from 'pg';
import { openSync, readSync, closeSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How Postgres ran a statement. */
export interface StatementRun {
  text: string;
  ms: number;
  /** Pages from memory and from disk. */
  buffers: number;
  /** The nodes that read, such as `Index Scan submissions_list`, without repetitions. */
  reads: string[];
}

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

/**
 * Reads the plans that Postgres really used for the statements of the services, with `auto_explain`. It writes
 * them to its log, which is a file of the private server.
 */
export class PlanLog {
  private constructor(
    private readonly database: Client,
    private readonly logFile: string,
  ) {}

  /**
   * Loads `auto_explain` into the sessions of the services: their present ones are ended, and they open new
   * ones.
   */
  static async open(database: Client, logFile: string): Promise<PlanLog> {
    await database.query(`load 'auto_explain'`);
    const settings = {
      'auto_explain.log_min_duration': '-1',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_buffers': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
      session_preload_libraries: 'auto_explain',
    };
    for (const [name, value] of Object.entries(settings))
      await database.query(`alter system set ${name} = '${value}'`);
    await database.query('select pg_reload_conf()');
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and usename <> current_user`,
    );
    return new PlanLog(database, logFile);
  }

  /** Runs `act` and returns the statements that ended meanwhile, of whatever process. */
  async during(act: () => Promise<unknown>): Promise<StatementRun[]> {
    const from = statSync(this.logFile).size;
    await this.log('0');
    try {
      await act();
    } finally {
      await this.log('-1');
    }
    return runsIn(textFrom(this.logFile, from));
  }

  private async log(minDuration: string): Promise<void> {
    await this.database.query(`alter system set auto_explain.log_min_duration = ${minDuration}`);
    await this.database.query('select pg_reload_conf()');
    await sleep(100); // every session reads the setting before its next statement
  }
}

function textFrom(file: string, from: number): string {
  const length = statSync(file).size - from;
  const buffer = Buffer.alloc(length);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, buffer, 0, length, from);
  } finally {
    closeSync(opened);
  }
  return buffer.toString();
}

/** The statements in the text of a log. Lines of one message begin with a tab. */
export function runsIn(log: string): StatementRun[] {
  const found: StatementRun[] = [];
  for (const match of log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n?)+)/g)) {
    const plan = JSON.parse(match[2]!.replace(/^\t/gm, '')) as { 'Query Text': string; Plan: PlanNode };
    const buffers = (plan.Plan['Shared Hit Blocks'] ?? 0) + (plan.Plan['Shared Read Blocks'] ?? 0);
    found.push({ text: plan['Query Text'], ms: Number(match[1]), buffers, reads: [...readsOf(plan.Plan)] });
  }
  return found;
}

/** Nodes that ran and read a table or an index. Partitions of a day count as one. */
function readsOf(node: PlanNode, found = new Set<string>()): Set<string> {
  const name = node['Index Name'] ?? node['Relation Name'];
  const isRead = /Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Bitmap Heap Scan';
  if (name !== undefined && isRead && node['Actual Loops'] !== 0)
    found.add(`${node['Node Type']} ${name.replace(/_(\d{8}|default)(?=_|$)/, '')}`);
  for (const child of node.Plans ?? []) readsOf(child, found);
  return found;
}

/** A plan in a few words. */
export const planText = ({ reads }: StatementRun): string =>
  reads
    .map((read) => read.replace(/^Index Only Scan/, 'index only').replace(/^(Bitmap )?Index Scan/, 'index'))
    .map((read) => read.replace(/^Seq Scan/, '**seq scan**'))
    .slice(0, 3)
    .join(', ');

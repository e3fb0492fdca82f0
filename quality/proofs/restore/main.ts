/**
 * Restores a stack under load, as docs/restore.md describes: first everything to a point in time, with an empty
 * RabbitMQ, then the schema of submissions-svc alone. Then it sends published events again and resyncs. Passes
 * if every submission that was acknowledged before the point exists and was delivered, with one message id
 * however often it was sent, and all copies equal their source.
 */
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseBackup, privateServers, runCommand, serverHome, withClient } from '@canvass/infra';
import {
  buildApps,
  loadSecrets,
  roleUrl,
  provisionBrokerUsers,
  runOps,
  serviceNames,
  startStack,
  withRunDir,
  type Stack,
} from '@canvass/stack';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { loadOn, type Load } from '../load';
import { archiveWal, markPoint, prepareRecovery, untilRecovered } from './backup';
import { countDifferences, countDue, countMissing, messagesBySubmission } from './checks';
import { replaceSchema } from './replace-schema';

const loadMs = 2_500;
const [writers, changeEvery] = [6, 4];
const relay = 'webhook-relay-svc';
const owner = 'submissions-svc';
const say = (line: string) => console.log(line);

interface Restored {
  what: string;
  /** Submissions acknowledged before the point. */
  before: number;
  /** Acknowledged after the point, and lost with it. */
  after: number;
  missing: number;
  undelivered: number;
  differences: number;
  /** Submissions that arrived with more than one message id. */
  severalIds: number;
}

async function prove(dir: string): Promise<number> {
  const since = new Date().toISOString();
  const stack = await startStack({ dir, privateServers: true, prepare: buildApps, say });
  const sink = await webhookSink();
  try {
    const url = stack.file.databaseUrl;
    const data = path.join(serverHome(dir).dir, 'postgres-data');
    const archive = await archiveWal(url, dir);
    await stack.infra.postgres.restart();
    const loadOf = () => loadOn(stack.file, `${sink.url}/hook`, writers);
    const repaired = (load: Load, counts: { what: string; marked: number }) =>
      repair({ stack, dir, sink, load, since, ...counts });

    // Everything, and RabbitMQ starts empty.
    let writing = await loadOf();
    let load = writing.start(changeEvery);
    await sleep(loadMs);
    await baseBackup(url, data, path.join(dir, 'backup-1'));
    await sleep(loadMs);
    stack.kill(relay, 'SIGSTOP'); // so that RabbitMQ has events that nothing has consumed
    await sleep(loadMs);
    let marked = load.acknowledged.length;
    await markPoint(url, 'everything');
    await writing.createForm(); // its settings are lost
    await sleep(loadMs);
    await stopWithoutErrors(load);
    await Promise.all([stack.infra.postgres.stop(), stack.infra.rabbitmq.stop()]);
    renameSync(data, `${data}.lost`);
    prepareRecovery(path.join(dir, 'backup-1'), data, { archive, point: 'everything', archives: true });
    rmSync(path.join(serverHome(dir).dir, 'rabbitmq-data', 'mnesia'), { recursive: true });
    await Promise.all([stack.infra.postgres.start(), stack.infra.rabbitmq.start()]);
    await untilRecovered(url);
    const { amqpUrl, amqpManagementUrl } = stack.file;
    await provisionBrokerUsers({ amqpUrl, amqpManagementUrl }, loadSecrets(dir, serviceNames));
    for (const service of serviceNames) await stack.restart(service, 'SIGKILL');
    const everything = await repaired(load, { what: 'everything', marked });

    // One schema alone, on another server first.
    writing = await loadOf();
    load = writing.start(changeEvery);
    await baseBackup(url, data, path.join(dir, 'backup-2'));
    await sleep(loadMs);
    marked = load.acknowledged.length;
    await markPoint(url, 'schema');
    await writing.createForm();
    await sleep(loadMs);
    await stopWithoutErrors(load);
    const elsewhere = path.join(dir, 'elsewhere');
    const copy = path.join(serverHome(elsewhere).dir, 'postgres-data');
    prepareRecovery(path.join(dir, 'backup-2'), copy, { archive, point: 'schema', archives: false });
    const { postgresPassword } = loadSecrets(dir, serviceNames);
    const { postgres } = privateServers({ dir: elsewhere, ephemeral: false, postgresPassword });
    await postgres.start();
    try {
      await untilRecovered(postgres.url);
      await untilNothingIsDue(url);
      stack.kill(owner, 'SIGSTOP');
      await endSessionsOf(url, new URL(roleUrl(url, owner, loadSecrets(dir, serviceNames))!).username);
      await replaceSchema(postgres.url, url, 'submissions');
    } finally {
      await postgres.stop();
    }
    await stack.restart(owner, 'SIGKILL');
    const schema = await repaired(load, { what: 'submissions alone', marked });

    console.table([everything, schema]);
    const holds = [everything, schema].every(
      (each) => each.before > 0 && each.missing + each.undelivered + each.differences + each.severalIds === 0,
    );
    return holds ? 0 : 1;
  } finally {
    await sink.close();
    await stack.stop();
  }
}

async function stopWithoutErrors(load: Load): Promise<void> {
  await load.stop();
  if (load.errors.size > 0) throw new Error(`requests failed: ${[...load.errors.keys()].join(', ')}`);
}

/** Runs the commands, and counts before and after. */
async function repair(from: {
  stack: Stack;
  dir: string;
  sink: WebhookSink;
  load: Load;
  since: string;
  what: string;
  marked: number;
}): Promise<Restored> {
  const { stack, dir, sink, load, since, what, marked } = from;
  const url = stack.file.databaseUrl;
  const before = load.acknowledged.slice(0, marked);
  const after = load.acknowledged.length - marked;
  const undelivered = () => {
    const messages = messagesBySubmission(sink);
    return before.filter((id) => !messages.has(id)).length;
  };
  const differences = () => withClient(url, countDifferences);
  await untilNothingIsDue(url);
  say(await runOps(dir, 'outbox', 'republish', '--since', since));
  say(await runOps(dir, 'resync', 'forms'));
  say(await runOps(dir, 'resync', 'settings'));
  const settled = async () => {
    await untilNothingIsDue(url);
    if (undelivered() + (await differences()) > 0) throw new Error('not yet');
  };
  await eventually(settled, { timeoutMs: 60_000 }).catch(() => undefined);
  const severalIds = [...messagesBySubmission(sink).values()].filter(({ size }) => size > 1).length;
  const missing = await withClient(url, (session) => countMissing(session, before));
  const counts = {
    missing,
    undelivered: undelivered(),
    differences: await differences(),
    severalIds,
  };
  return { what, before: marked, after, ...counts };
}

const untilNothingIsDue = (url: string): Promise<void> =>
  eventually(
    async () => {
      if ((await withClient(url, countDue)) > 0) throw new Error('events or deliveries wait');
    },
    { timeoutMs: 90_000 },
  );

/** Ends the sessions of a role; those of its processes that are stopped would keep their locks. */
const endSessionsOf = (url: string, role: string): Promise<unknown> =>
  withClient(url, (session) =>
    session.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]),
  );

runCommand(() => withRunDir('restore', false, prove));

/**
 * Sends generated requests, most of them bad or odd, over all operations of the OpenAPI document to a private stack.
 * Passes when every one was answered, as the document says and never by a failure; no process ended; no connection was
 * left open; and no process holds much more memory than after the first of them.
 */
import { eventually } from '@canvass/testing';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { localDir } from '@canvass/infra';
import { buildApps, serviceNames, type Stack, startStack } from '@canvass/stack';
import { fuzz } from './fuzz';
import { connectionsTo, memoryOf, type Watched } from './processes';

const warmUp = 2_000;
const mostTold = 40;
const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
/** What a process may have gained: a heap that has not been collected yet, and never a part of each request. */
const mayBe = (atFirst: number) => atFirst * 1.5 + 64 * 2 ** 20;
/** Guessed passwords are part of it, and all come from one address. */
const attempts = Object.fromEntries(
  ['AccountAndAddress', 'Account', 'Address'].map((of) => [`Service__SignIn__AttemptsPer${of}`, '1000000']),
);
const identity = { ...attempts, Service__Tokens__AccessTokenMinutes: '600' };

async function main(): Promise<number> {
  const [countText = '20000', seed = new Date().toISOString()] = process.argv.slice(2);
  const count = Number(countText);
  if (!Number.isSafeInteger(count) || count < 1) {
    console.error('npm run prove -- fuzz [REQUESTS] [SEED]');
    return 2;
  }
  const dir = path.join(localDir, `fuzz-${process.pid}`);
  const stack = await startStack({
    dir,
    ephemeral: true,
    privateServers: true,
    env: { 'identity-svc': identity },
    prepare: buildApps,
    say: (line) => console.log(line),
  });
  try {
    return await prove(stack, count, seed);
  } finally {
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function prove(stack: Stack, count: number, seed: string): Promise<number> {
  const { gatewayUrl, demo } = stack.file;
  const { otherTenant } = demo;
  const creator = {
    gatewayUrl,
    admin: { email: otherTenant.adminEmail, password: otherTenant.adminPassword },
    stranger: { email: demo.adminEmail, password: demo.adminPassword },
    serviceAccount: demo.serviceAccount,
  };
  const processes: Watched[] = serviceNames.map((name) => ({ name, ...stack.file.services[name] }));
  const pids = () => serviceNames.map((name) => stack.file.services[name].pid).join(' ');
  const pidsBefore = pids();

  await fuzz({ ...creator, seed: 'warm-up', count: Math.min(warmUp, count) });
  const memoryBefore = await memoryOf(processes);
  console.log(`${count} requests, seed "${seed}"`);
  const started = Date.now();
  const progress = (sent: number, faults: number) => {
    if (sent % 3_000 === 0) console.log(`  ${sent} sent, ${faults} faults`);
  };
  const result = await fuzz({ ...creator, seed, count, progress });
  const seconds = (Date.now() - started) / 1000;
  const memoryAfter = await memoryOf(processes);

  for (const { what, curl } of result.faults.slice(0, mostTold)) console.log(`FAULT ${what}\n      ${curl}`);
  const statuses = Object.entries(result.statuses).map(([status, number]) => `${status}: ${number}`);
  console.log(`Answers: ${statuses.join(', ')}`);
  for (const line of result.busy.slice(0, mostTold / 4)) console.log(`  busy: ${line}`);
  if (result.onlyRefused.length > 0) console.log(`Never succeeded: ${result.onlyRefused.join(', ')}`);
  const grown = processes.filter(({ name }) => {
    const [before, after] = [memoryBefore.get(name)!, memoryAfter.get(name)!];
    console.log(`  ${name.padEnd(18)} ${mb(before)} MB after ${warmUp} requests, ${mb(after)} MB at the end`);
    return !(after <= mayBe(before));
  });
  const gateway = processes.find(({ name }) => name === 'gateway')!;
  // Idle ones are kept for 75 s.
  const closed = () => connectionsTo(gateway) === 0 || connectionsTo(gateway) === null;
  await eventually(closed, { timeoutMs: 120_000 }).catch(() => undefined);
  const left = connectionsTo(gateway) ?? 0;
  const restarted = pids() !== pidsBefore;
  const busy = result.busy.length;

  console.log(
    `${result.sent} requests over ${result.operations} operations in ${seconds.toFixed(0)} s: ${result.answered} answered, ` +
      `${result.faults.length} faults, ${busy} answers of 503 or 504, ${left} connections left open, ` +
      `${grown.length} processes grown, ${restarted ? 'a process ended' : 'no process ended'}`,
  );
  const calm = busy <= result.sent / 100;
  return result.faults.length + left + grown.length === 0 && calm && !restarted ? 0 : 1;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

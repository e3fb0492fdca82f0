/**
 * Sends generated requests, most of them invalid or unusual, over all operations of the OpenAPI document to a
 * private stack. Passes if every request was answered as the document says and without a failure, no process
 * exited, no connection stayed open, and no process uses much more memory than after the first requests.
 */
import { serviceNames, type Stack } from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { proveOnStack } from '../private-stack';
import { connectionsTo, memoryOf } from '../processes';
import { fuzz } from './fuzz';

const warmUp = 2_000;
const mostPrinted = 40;
const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
/** The memory a process may use at the end: a heap before its next collection, and nothing per request. */
const limitFor = (atFirst: number) => atFirst * 1.5 + 64 * 2 ** 20;
/** Guessed passwords are part of the requests, and all come from one address. */
const identity = {
  Service__SignIn__AttemptsPerAccountAndAddress: '1000000',
  Service__SignIn__AttemptsPerAccount: '1000000',
  Service__SignIn__AttemptsPerAddress: '1000000',
  Service__Tokens__AccessTokenMinutes: '600',
};

async function prove(stack: Stack, count: number, seed: string): Promise<boolean> {
  const { gatewayUrl, demo, services } = stack.file;
  const { otherTenant, serviceAccount } = demo;
  const accounts = {
    gatewayUrl,
    admin: { email: otherTenant.adminEmail, password: otherTenant.adminPassword },
    stranger: { email: demo.adminEmail, password: demo.adminPassword },
    serviceAccount,
  };
  const processes = serviceNames.map((name) => ({ name, ...services[name] }));
  const pids = () => serviceNames.map((name) => stack.file.services[name].pid).join(' ');
  const memoryOfAll = () => Promise.all(processes.map(memoryOf));
  const pidsBefore = pids();

  await fuzz({ ...accounts, seed: 'warm-up', count: Math.min(warmUp, count) });
  const memoryBefore = await memoryOfAll();
  console.log(`${count} requests, seed "${seed}"`);
  const started = Date.now();
  const progress = (sent: number, faults: number) => console.log(`  ${sent} sent, ${faults} faults`);
  const result = await fuzz({ ...accounts, seed, count, progress });
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const memoryAfter = await memoryOfAll();

  for (const fault of result.faults.slice(0, mostPrinted)) console.log(`FAULT ${fault}`);
  const statuses = Object.entries(result.statuses).map(([status, number]) => `${status}: ${number}`);
  console.log(`Answers: ${statuses.join(', ')}`);
  for (const line of result.busy.slice(0, mostPrinted / 4)) console.log(`  busy: ${line}`);
  if (result.onlyRefused.length > 0) console.log(`Never succeeded: ${result.onlyRefused.join(', ')}`);
  const grown = processes.filter(({ name }, n) => {
    const [before, after] = [memoryBefore[n]!, memoryAfter[n]!];
    console.log(`  ${name.padEnd(18)} ${mb(before)} MB after ${warmUp} requests, ${mb(after)} MB at the end`);
    return !(after <= limitFor(before));
  });
  const gateway = processes.find(({ name }) => name === 'gateway')!;
  // Idle connections are kept for 75 s.
  await eventually(() => connectionsTo(gateway) === 0, { timeoutMs: 120_000 }).catch(() => undefined);
  const left = connectionsTo(gateway);
  const exited = pids() !== pidsBefore;
  const busy = result.busy.length;

  console.log(
    `${result.sent} requests over ${result.operations} operations in ${seconds} s: ${result.answered} answered, ` +
      `${result.faults.length} faults, ${busy} answers of 503 or 504, ${left} connections left open, ` +
      `${grown.length} processes grown, ${exited ? 'a process ended' : 'no process ended'}`,
  );
  return result.faults.length + left + grown.length === 0 && busy <= result.sent / 100 && !exited;
}

const [countText = '20000', seed = new Date().toISOString()] = process.argv.slice(2);
const count = Number(countText);
if (Number.isSafeInteger(count) && count > 0) {
  proveOnStack('fuzz', { env: { 'identity-svc': identity } }, (stack) => prove(stack, count, seed));
} else {
  console.error('npm run prove -- fuzz [REQUESTS] [SEED]');
  process.exitCode = 2;
}

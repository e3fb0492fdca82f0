/**
 * Restarts every process of a stack in which each service and the gateway have two replicas, one after the
 * other, while clients read and write continuously. Passes if no request failed, every process exited with 0
 * within `ShutdownSeconds`, and every completed submission was delivered. With `--short`, only
 * submissions-svc has two replicas.
 */
import { serviceNames, type ServiceName, type Stack } from '@canvass/stack';
import { proveOnStack } from '../private-stack';
import { SteadyLoad } from './steady-load';

const isShort = process.argv.includes('--short');
const restarted: readonly ServiceName[] = isShort ? ['submissions-svc'] : serviceNames;
const shutdownSeconds = 20;
const hosting = {
  // The short form is part of `npm test`: on a slow machine it takes time to notice that a process is stopping.
  Service__Hosting__DrainSeconds: isShort ? '4' : '2',
  Service__Hosting__ShutdownSeconds: `${shutdownSeconds}`,
};

async function prove(stack: Stack): Promise<boolean> {
  const load = await SteadyLoad.on(stack);
  await load.start();
  const processes = restarted.flatMap((service) => [service, `${service}-2`]);
  for (const name of processes) await load.restart(name, shutdownSeconds);
  const isServed = await load.holds();
  await load.close();
  return isServed;
}

const each = <T>(names: readonly ServiceName[], value: T): Partial<Record<ServiceName, T>> =>
  Object.fromEntries(names.map((name) => [name, value]));

proveOnStack('rolling', { replicas: each(restarted, 2), env: each(serviceNames, hosting) }, prove);

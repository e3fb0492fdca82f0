import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressPolicy } from '@canvass/webhook-addresses';
import { prove, type Claim } from '@canvass/testing';
import { createSender } from '../../src/pipeline';

interface Receiver {
  name: string;
  /** An answer's status comes at once, and with it the end of the attempt once its body is cut. */
  hasStatus: boolean;
  url: string;
}

const mostGrowthMb = 20;
const toleranceSeconds = 0.5;
const each = 10;
const body = Buffer.alloc(2_000, 'x');

/**
 * Sends ten deliveries at once to each kind of stalling receiver, all kinds at the same time, and watches how
 * long each attempt lasts and how far the memory of the process rises.
 */
async function proveStalls(deadlineSeconds: number): Promise<Claim[]> {
  const child = fork(path.join(__dirname, 'receivers.ts'), { execArgv: ['--import', 'tsx'] });
  const [receivers] = (await once(child, 'message')) as [Receiver[]];
  const sender = createSender({
    policy: createAddressPolicy({ AllowedNetworks: ['127.0.0.0/8'] }),
    totalTimeoutMs: deadlineSeconds * 1000,
  });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const send = ({ url }: Receiver) => sender.send({ url, headers: {}, body }, signal);
  // Code is loaded and compiled with the first use of each path.
  await Promise.all(receivers.filter(({ hasStatus }) => hasStatus).map(send));

  const memory = watchMemory();
  const seconds = await Promise.all(
    receivers.map(async (receiver) => {
      const results = await Promise.all(Array.from({ length: each }, () => send(receiver)));
      return results.map(({ totalMs }) => totalMs / 1000);
    }),
  );
  const growthMb = memory.growthMb();
  await sender.close();
  child.disconnect();
  await once(child, 'exit');

  return [
    ...receivers.map(({ name, hasStatus }, index) => {
      const [least, most] = [Math.min(...seconds[index]!), Math.max(...seconds[index]!)];
      const inTime = most <= deadlineSeconds + toleranceSeconds;
      return {
        what: name,
        found: `${each} attempts ended after ${least.toFixed(3)} to ${most.toFixed(3)} s`,
        wanted: hasStatus
          ? `at most ${deadlineSeconds} ± ${toleranceSeconds} s`
          : `${deadlineSeconds} ± ${toleranceSeconds} s`,
        holds: inTime && (hasStatus || least >= deadlineSeconds - toleranceSeconds),
      };
    }),
    {
      what: 'memory of the sender',
      found: `rose by ${growthMb.toFixed(1)} MB at most`,
      wanted: `less than ${mostGrowthMb} MB`,
      holds: growthMb < mostGrowthMb,
    },
  ];
}

/** Resident memory against what it is now, looked at ten times a second. */
function watchMemory() {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  let watching = true;
  void (async () => {
    while (watching) {
      peak = Math.max(peak, process.memoryUsage().rss);
      await sleep(100, undefined, { ref: false });
    }
  })();
  return {
    growthMb() {
      watching = false;
      return (Math.max(peak, process.memoryUsage().rss) - before) / 1024 ** 2;
    },
  };
}

/** As `Service:WebHooks:TimeoutSeconds`, unless the command line says otherwise. */
const deadlineSeconds = Number(process.argv[2] ?? 15);
prove(() => proveStalls(deadlineSeconds));

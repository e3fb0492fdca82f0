/** The stalling receivers, in a process of their own so that the sender's memory is the sender's alone. */
import { stalls } from '@canvass/testing';

async function main(): Promise<void> {
  const started = await Promise.all(stalls.map(async (stall) => ({ ...stall, ...(await stall.start()) })));
  process.on('disconnect', () => {
    void Promise.all(started.map(({ close }) => close())).finally(() => process.exit(0));
  });
  process.send?.(started.map(({ name, hasStatus, url }) => ({ name, hasStatus, url })));
}

void main();

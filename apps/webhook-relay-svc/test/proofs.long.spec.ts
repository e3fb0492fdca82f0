import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The short forms of proofs about size; `npm run prove` runs them at full size. */
it.each([
  ['10 bodies of 1 MiB and 30 of 4 MiB do not take the memory of a relay', 'large-bodies', ['10', '30']],
  ['endpoints and tenants with unequal backlogs are served alike', 'fairness', ['50000']],
])(
  '%s',
  async (_, file, sizes) => {
    const program = path.join(__dirname, 'proofs', `${file}.ts`);
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...sizes]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const [status] = (await once(child, 'exit')) as [number | null];
    expect([status, output]).toEqual([0, expect.stringContaining('ok ')]);
  },
  300_000,
);

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const checkout = path.join(__dirname, '../..');

/** Proofs that take too long, or too quiet a machine, for `npm test`; each ends with 1 when a claim does not hold. */
const proofs: Record<string, { file: string; about: string }> = {
  stalls: {
    file: 'apps/webhook-relay-svc/test/proofs/stalls.ts',
    about: 'every way a receiver can stall an attempt, with the real deadline (or: stalls SECONDS)',
  },
  rolling: {
    file: 'tools/prove/rolling/main.ts',
    about: 'two copies of every process, each restarted under load: no request fails',
  },
};

const [name = '', ...args] = process.argv.slice(2);
const proof = proofs[name];
if (proof !== undefined) {
  const file = path.join(checkout, proof.file);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
console.log('npm run prove -- <proof>\n');
for (const [word, { about }] of Object.entries(proofs)) console.log(`  ${word.padEnd(18)} ${about}`);
process.exit(name === '' || name === '--help' ? 0 : 2);

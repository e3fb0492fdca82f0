import { spawnSync } from 'node:child_process';
import path from 'node:path';

const folder = path.join(__dirname, '../../apps/webhook-relay-svc/test/proofs');

/** Proofs that take too long, or too quiet a machine, for `npm test`; each ends with 1 when a claim does not hold. */
const proofs: Record<string, string> = {
  stalls: 'every way a receiver can stall an attempt, with the real deadline (or: stalls SECONDS)',
};

const [name = '', ...args] = process.argv.slice(2);
if (name in proofs) {
  const file = path.join(folder, `${name}.ts`);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
console.log('npm run prove -- <proof>\n');
for (const [proof, about] of Object.entries(proofs)) console.log(`  ${proof.padEnd(18)} ${about}`);
process.exit(name === '' || name === '--help' ? 0 : 2);

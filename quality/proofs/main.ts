import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTestServers } from '@canvass/infra';

/** Proofs that take too long, or too quiet a machine, for `npm test`. Each ends with 1 when a claim does not hold. */
const proofs: Record<string, string> = {
  cluster: 'RabbitMQ nodes and a standby of Postgres lose nothing when a host is killed or silent [FAULT …]',
  compose: 'the image and docker-compose.yml: main job, copies, secrets from files [--short]',
  'console-pages': 'all pages of the console: keyboard, axe, texts of strangers, a newer API',
  fairness: 'a million due deliveries of 1,000 endpoints and 100 tenants are sent in turns [COUNT]',
  fuzz: 'generated bad and odd requests: no failure, no answer outside the document (FUZZ_REQUESTS, FUZZ_SEED)',
  kubernetes: 'k8s/ on two nodes: probes, rollout, drain and a lost node under load [FAULT …]',
  'large-bodies': '10,000 events of 1 MiB and 500 of 4 MiB through a relay with a small heap [COUNT COUNT]',
  neighbours: 'a tenant that attacks all shared resources is hardly felt by another [SECONDS of a window]',
  restore:
    'a restore of everything, and of one schema, to a point in time under load loses nothing before it',
  rolling: 'two copies of every process, each restarted under load: no request fails [--short]',
  upgrade: 'from an earlier build to this one, back and forward again, under load [REF]',
};
/** Those that are not in a folder of their own here. */
const elsewhere: Record<string, string> = {
  'console-pages': '../../apps/e2e/long/main.ts',
  fairness: '../../apps/webhook-relay-svc/test/proofs/fairness.ts',
  fuzz: '../../apps/e2e/long/main.ts',
  'large-bodies': '../../apps/webhook-relay-svc/test/proofs/large-bodies.ts',
};

async function run(name: string, args: string[]): Promise<number> {
  process.on('SIGINT', () => undefined); // the proof has it too, ends, and then so do the servers
  const file = path.join(__dirname, elsewhere[name] ?? `${name}/main.ts`);
  // Proofs of one service find Postgres and RabbitMQ by the variables that tests find them by.
  if (file.includes('-svc'))
    Object.assign(process.env, await startTestServers((line) => console.error(line)));
  const selected = file.includes('e2e') ? [name.split('-')[0]!] : [];
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...selected, ...args], {
    stdio: 'inherit',
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}

const [name = '', ...args] = process.argv.slice(2);
if (name in proofs) {
  void run(name, args).then((status) => process.exit(status));
} else {
  console.log('npm run prove -- <proof>\n');
  for (const [word, about] of Object.entries(proofs)) console.log(`  ${word.padEnd(14)} ${about}`);
  process.exit(name === '' || name === '--help' ? 0 : 2);
}

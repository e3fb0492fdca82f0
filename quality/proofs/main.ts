import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTestServers } from '@canvass/infra';

const checkout = path.join(__dirname, '../..');

/**
 * Proofs that take too long, or too quiet a machine, for `npm test`; each ends with 1 when a claim does not
 * hold.
 */
interface Proof {
  file: string;
  about: string;
  /** It finds Postgres and RabbitMQ by the variables that tests find them by. */
  needsServers?: true;
}

const proofs: Record<string, Proof> = {
  stalls: {
    file: 'apps/webhook-relay-svc/test/proofs/stalls.ts',
    about: 'every way a receiver can stall an attempt, with the real deadline (or: stalls SECONDS)',
  },
  rate: {
    file: 'apps/webhook-relay-svc/test/proofs/rate.ts',
    about: 'a limit of 10/s holds over two relay processes, is reached, and loses nothing (or: rate SECONDS)',
    needsServers: true,
  },
  'ready-queue': {
    file: 'apps/webhook-relay-svc/test/proofs/ready-queue.ts',
    about:
      'claims and results cost the same beside any number of endpoints and deliveries; one with a million is removed at once',
    needsServers: true,
  },
  'large-bodies': {
    file: 'apps/webhook-relay-svc/test/proofs/large-bodies.ts',
    about:
      '10,000 events of 1 MiB and 500 of 4 MiB through a relay with a small heap (or: large-bodies COUNT COUNT)',
    needsServers: true,
  },
  fairness: {
    file: 'apps/webhook-relay-svc/test/proofs/fairness.ts',
    about:
      'a million due deliveries of 1,000 endpoints and 100 tenants are sent in turns (or: fairness COUNT)',
    needsServers: true,
  },
  hanging: {
    file: 'apps/webhook-relay-svc/test/proofs/hanging.ts',
    about: 'an endpoint that hangs with 10,000 queued is not felt by others (or: hanging ROUNDS SECONDS)',
    needsServers: true,
  },
  'idle-connections': {
    file: 'quality/proofs/idle-connections/main.ts',
    about:
      '10,000 connections that go on with nothing are not felt by others (or: idle-connections COUNT SECONDS)',
  },
  pgbouncer: {
    file: 'quality/proofs/pgbouncer/main.ts',
    about: 'every service works behind PgBouncer in transaction mode, and a webhook is delivered',
    needsServers: true,
  },
  fuzz: {
    file: 'quality/proofs/fuzz/main.ts',
    about:
      '20,000 generated bad and odd requests: no failure, no answer outside the document (or: fuzz REQUESTS SEED)',
  },
  neighbours: {
    file: 'quality/proofs/neighbours/main.ts',
    about:
      'a tenant that attacks all shared resources is hardly felt by another (or: neighbours SECONDS of a window)',
  },
  'import-faults': {
    file: 'apps/datalists-svc/test/proofs/import-faults.ts',
    about:
      'a million lines with 10,000 errors of all kinds: all are found and read page by page, in bounded memory (or: import-faults LINES FAULTS)',
    needsServers: true,
  },
  erasure: {
    file: 'apps/submissions-svc/test/proofs/erasure.ts',
    about:
      'a respondent with 1,000,000 submissions is erased, beside creates of another tenant (or: erasure COUNT)',
    needsServers: true,
  },
  partitions: {
    file: 'apps/submissions-svc/test/proofs/partitions.ts',
    about: 'the specs of submissions-svc on tables partitioned by tenant (or: partitions COUNT)',
    needsServers: true,
  },
  console: {
    file: 'quality/proofs/console/main.ts',
    about:
      'the speed of the web console in Chromium, with 100,000 submissions and a million items (or: console RUNS MINUTES)',
  },
  'console-journeys': {
    file: 'apps/e2e/long/main.ts',
    about:
      'all pages of the console, its tasks, journeys by keys alone, import errors, texts of strangers and a newer API',
  },
  'console-probes': {
    file: 'quality/proofs/console-probes/main.ts',
    about: 'the test of the web console with texts of strangers finds each of three weakened builds',
  },
  'console-older-services': {
    file: 'quality/proofs/console-older-services/main.ts',
    about: 'all pages of the console with services of an earlier commit (or: console-older-services REF)',
  },
  cluster: {
    file: 'quality/proofs/cluster/main.ts',
    about:
      'three RabbitMQ nodes and a standby of Postgres lose nothing when a host is killed or silent (or: cluster FAULT…)',
  },
  compose: {
    file: 'quality/proofs/compose/main.ts',
    about:
      'the image and docker-compose.yml in a Docker engine of this checkout: main job, limits, copies (or: compose --from REF)',
  },
  debian: {
    file: 'quality/proofs/debian/main.ts',
    about:
      '`npm start` with the main job, and `npm test`, on a clean Debian 12 as an ordinary user (or: debian --start)',
  },
  kubernetes: {
    file: 'quality/proofs/kubernetes/main.ts',
    about:
      'k8s/ on a Kubernetes cluster of two nodes: probes, rollout, drain and a lost node under load (or: kubernetes FAULT…)',
  },
  restore: {
    file: 'quality/proofs/restore/main.ts',
    about:
      'a restore of everything, and of one schema, to a point in time under load: nothing from before it is lost',
  },
  upgrade: {
    file: 'quality/proofs/upgrade/main.ts',
    about:
      'from an earlier build to this one, back and forward again, under load: no request fails, nothing is lost (or: upgrade REF)',
  },
  rolling: {
    file: 'quality/proofs/rolling/main.ts',
    about: 'two copies of every process, each restarted under load: no request fails (or: rolling --short)',
  },
};

async function run({ file, needsServers }: Proof, args: string[]): Promise<number> {
  process.on('SIGINT', () => undefined); // the proof has it too, ends, and then so do the servers
  if (needsServers) Object.assign(process.env, await startTestServers((line) => console.error(line)));
  const program = path.join(checkout, file);
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], { stdio: 'inherit' });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}

const [name = '', ...args] = process.argv.slice(2);
const proof = proofs[name];
if (proof !== undefined) {
  void run(proof, args).then((status) => process.exit(status));
} else {
  console.log('npm run prove -- <proof>\n');
  for (const [word, { about }] of Object.entries(proofs)) console.log(`  ${word.padEnd(18)} ${about}`);
  process.exit(name === '' || name === '--help' ? 0 : 2);
}

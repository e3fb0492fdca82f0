import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const checkout = path.resolve(__dirname, '../..');

it.each([
  '.env',
  '.env.production',
  'k8s/overlays/mine/secrets/relay.env',
  'deploy/.env',
  'secrets/provision.json',
])('git ignores %s', (file) => {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: checkout });
  expect(status).toBe(0);
});

it('git keeps the secrets of the example', () => {
  const tracked = execFileSync('git', ['ls-files', 'k8s/overlays/example/secrets'], { cwd: checkout });
  expect(tracked.toString().trim().split('\n')).toHaveLength(10);
});

it('a new environment file is readable by its owner only and never replaces another', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-secrets-'));
  try {
    const file = path.join(dir, '.env');
    const run = () =>
      spawnSync(process.execPath, [path.join(checkout, 'deploy/new-secrets.mjs'), file], {
        encoding: 'utf8',
      });
    expect(run().status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const first = readFileSync(file, 'utf8');
    expect(first).toMatch(/^CANVASS_INTERNAL_SECRET=[0-9a-f]{64}$/m);
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('exists') as string });
    expect(readFileSync(file, 'utf8')).toBe(first);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

it('new files are in a folder for its owner, and replace neither the folder nor an environment file', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-secrets-'));
  try {
    const program = path.join(checkout, 'deploy/new-secrets.mjs');
    const run = () => spawnSync(process.execPath, [program, '--files'], { cwd: dir, encoding: 'utf8' });
    expect(run().status).toBe(0);
    expect(statSync(path.join(dir, 'secrets')).mode & 0o777).toBe(0o700);
    const environment = readFileSync(path.join(dir, '.env'), 'utf8');
    expect(environment).toContain('CANVASS_ADMIN_EMAIL=');
    expect(environment).not.toMatch(/_KEY=|_SECRET=|RABBITMQ_PASSWORD=|POSTGRES_PASSWORD=/);
    expect(run()).toMatchObject({ status: 1, stderr: '.env exists and was not changed.\n' });
    rmSync(path.join(dir, '.env'));
    expect(run()).toMatchObject({ status: 1, stderr: 'secrets exists and was not changed.\n' });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lintCompose, readCompose, type ComposeService } from './compose';
import { bundleOf, readEnvironment } from './container';

/** The folder of a container in which its secrets are. */
const inContainer = '/run/secrets/';

/**
 * Checks docker-compose.secrets.yml on docker-compose.yml with files of `deploy/new-secrets.mjs --files`: each
 * process reads a valid configuration, whose secrets all come from files.
 */
export async function checkComposeSecrets(root: string): Promise<string[]> {
  const baseFile = path.join(root, 'docker-compose.yml');
  // Its own check reports them.
  if (lintCompose(baseFile).length > 0) return [];
  const lint = lintCompose(path.join(root, 'docker-compose.secrets.yml'));
  if (lint.length > 0) return lint;
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-secrets-'));
  try {
    execFileSync(process.execPath, [path.join(__dirname, '../new-secrets.mjs'), '--files'], { cwd: dir });
    const environment = readFileSync(path.join(dir, '.env'), 'utf8');
    const base = readCompose(baseFile, environment);
    const over = readCompose(path.join(root, 'docker-compose.secrets.yml'), environment);
    const files = Object.values(over.secrets ?? {}).map(({ file }) => file);
    const faults = files
      .filter((file) => !existsSync(path.join(dir, file)))
      .map((file) => `${file} is not a file of new-secrets.mjs`);
    for (const [name, service] of Object.entries(base.services)) {
      // The gateway has no secrets, and servers read no configuration of ours.
      if (bundleOf(service.command) === undefined || name === 'gateway') continue;
      const found = await faultsOf(service, over.services[name], path.join(dir, 'secrets'));
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    return faults;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function faultsOf(
  service: ComposeService,
  over: ComposeService | undefined,
  dir: string,
): Promise<string[]> {
  const environment = { ...service.environment, ...over?.environment };
  const given = new Set(over?.secrets?.map((each) => (typeof each === 'string' ? each : each.source)));
  // Files that the container is not given are not there.
  const fileOf = (value: string) => {
    const name = value.slice(inContainer.length);
    return path.join(given.has(name) ? dir : '/nonexistent', name);
  };
  const located = Object.entries(environment).map(([name, value]) => [
    name,
    value.startsWith(inContainer) ? fileOf(value) : value,
  ]);
  const { faults } = await readEnvironment(
    bundleOf(service.command),
    Object.fromEntries(located) as Record<string, string>,
  );
  // Without a variable for the password, such a URL has none.
  const withoutPassword = Object.entries(environment)
    .filter(([, value]) => /:\/\/\w+:@/.test(value))
    .map(([name]) => `${name} has a URL without its password`);
  return [...faults, ...withoutPassword];
}

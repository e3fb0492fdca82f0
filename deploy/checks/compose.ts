import { DCLinter } from 'dclint';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import {
  bundleOf,
  differences,
  isCommand,
  missingServices,
  readEnvironment,
  unknownAddresses,
} from './container';

/** The file is ordered for a reader, servers first; dclint demands the alphabet by default. */
const readingOrder = {
  'service-keys-order': 0,
  'service-dependencies-alphabetical-order': 0,
  'service-ports-alphabetical-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
} as const;

/**
 * The optional variables. They need values here: Compose passes an unset one as '', which counts as not
 * set.
 */
const optional = [
  'CANVASS_HEALTH_CHECKS=["/extensions/check.mjs"]',
  'CANVASS_HEALTH_WRITER=/extensions/writer.mjs',
  'CANVASS_DISPLAY_ID_CLAIM_TYPES=["badge"]',
  'CANVASS_PROFILE_SNAPSHOT_FIELDS=["department"]',
  'CANVASS_SUBMITTER_EXTRACTORS=["/extensions/extractor.mjs"]',
  'CANVASS_SUBMITTER_RESOLVER=/extensions/resolver.mjs',
  'CANVASS_EXTRACTOR_TIMEOUT_MS=500',
];

/** The members of a service that are checked. */
export interface ComposeService {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  ports?: unknown[];
  secrets?: (string | { source: string; target: string })[];
  stop_grace_period?: string;
}

/** The members of a file that are checked. */
export interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets?: Record<string, { file: string }>;
}

/** Checks docker-compose.yml: its form by dclint, its content against the processes that it starts. */
export async function checkCompose(root: string): Promise<string[]> {
  const file = path.join(root, 'docker-compose.yml');
  const lint = lintCompose(file);
  if (lint.length > 0) return lint;

  const { services } = readCompose(file, newSecrets());
  // `npm start` waits for the health checks of the servers.
  const servers = { postgres: { healthcheck: { test: /./ } }, rabbitmq: { healthcheck: { test: /./ } } };
  const faults = differences(servers, services);
  const known = new Set(['postgres:5432', 'rabbitmq:5672', 'rabbitmq:15672']);
  for (const [name, { image = '' }] of Object.entries(services))
    if (!/^canvass:|@sha256:[0-9a-f]{64}$/.test(image))
      faults.push(`${name}: the image ${image} has no digest`);
  const own = Object.entries(services).filter(([, { command }]) => bundleOf(command) !== undefined);
  for (const [name, service] of own) {
    const read = await readEnvironment(bundleOf(service.command), service.environment ?? {});
    const { Port, InternalPort, ReadinessPath, ShutdownSeconds } = read.hosting ?? {};
    const found = [...read.faults];
    found.push(
      ...differences(
        {
          read_only: true,
          tmpfs: ['/tmp'],
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          mem_limit: /^\d+[mg]$/,
          pids_limit: /^\d+$/,
        },
        service,
      ),
    );
    if (read.hosting && !isCommand(service.command)) {
      known.add(`${name}:${Port}`).add(`${name}:${InternalPort}`);
      const test = new RegExp(`'http://127.0.0.1:${Port}${ReadinessPath}'`);
      found.push(...differences({ healthcheck: { test }, volumes: [/:\/extensions:ro$/] }, service));
      if (Number.parseInt(service.stop_grace_period ?? '0', 10) <= ShutdownSeconds!)
        found.push(`stop_grace_period is not longer than a stop may take (${ShutdownSeconds} s)`);
      if (name === 'gateway') {
        found.push(...differences({ ports: [{ target: Port }] }, service));
        if (service.networks?.includes('data') !== false) found.push('reaches the network of PostgreSQL');
      } else if (service.ports) found.push('has published ports; only the gateway may');
    }
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  for (const [name, { environment = {} }] of own)
    faults.push(...unknownAddresses(environment, known).map((fault) => `${name}: ${fault}`));
  return [...faults, ...missingServices(own.map(([, { command }]) => bundleOf(command)))];
}

/** The faults in the form of a file, by dclint. */
export function lintCompose(file: string): string[] {
  const linter = new DCLinter({ rules: readingOrder, quiet: true, debug: false, exclude: [] });
  const messages = linter.lintFiles([file], false).flatMap((result) => result.messages);
  return messages.map(({ line, message, rule }) => `line ${line}: ${message} (${rule})`);
}

/**
 * Reads a file as Compose does: `${NAME}` and `${NAME:-default}` in texts are replaced, and `${NAME:?reason}`
 * needs a value.
 *
 * @param environment content of the environment file
 */
export function readCompose(file: string, environment: string): ComposeFile {
  const lines = [...environment.trim().split('\n'), ...optional];
  const variables = new Map(lines.map((line) => line.split(/=(.*)/) as [string, string]));
  const valueOf = (_: string, name: string, operator?: string, text = ''): string => {
    const value = variables.get(name) ?? '';
    if (value === '' && operator === '?') throw new Error(`${file}: ${name}: ${text}`);
    return value === '' && operator === '-' ? text : value;
  };
  const interpolate = (_key: unknown, value: unknown) =>
    typeof value !== 'string' ? value : value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, valueOf);
  return parse(readFileSync(file, 'utf8'), interpolate, { merge: true }) as ComposeFile;
}

/** The content of an environment file of `deploy/new-secrets.mjs`. */
function newSecrets(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-secrets-'));
  try {
    const file = path.join(dir, '.env');
    execFileSync(process.execPath, [path.join(__dirname, '../new-secrets.mjs'), file]);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(dir, { recursive: true });
  }
}

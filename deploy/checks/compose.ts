import { DCLinter } from 'dclint';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { deployableApps, readEnvironment } from './app-config';
import type { Fault } from './fault';

const file = 'docker-compose.yml';

/** Where every process finds the modules of an installation, in Compose and in Kubernetes. */
export const extensionsFolder = '/extensions';

/** The file is ordered for a reader, servers first; dclint would have the alphabet. */
const readingOrder = {
  'service-keys-order': 0,
  'service-dependencies-alphabetical-order': 0,
  'service-ports-alphabetical-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
} as const;

interface ComposeService {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: (string | { target: number })[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, unknown>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  volumes?: string[];
}

/** Checks docker-compose.yml: its form by dclint, its content against the processes it starts. */
export async function checkCompose(root: string): Promise<Fault[]> {
  const faults: string[] = lint(path.join(root, file));
  if (faults.length > 0) return faults.map((message) => ({ file, message }));

  const text = readFileSync(path.join(root, file), 'utf8');
  const parsed: unknown = parse(text, { merge: true });
  const { services } = interpolate(parsed, newSecrets()) as { services: Record<string, ComposeService> };
  for (const name of ['postgres', 'rabbitmq']) {
    if (!services[name]?.healthcheck?.test)
      faults.push(`${name} is missing or has no health check; npm start waits for it`);
  }
  for (const app of deployableApps()) if (!(app in services)) faults.push(`has no service ${app}`);
  const listens = new Map<string, number[]>([
    ['postgres', [5432]],
    ['rabbitmq', [5672, 15672]],
  ]);
  for (const [name, service] of Object.entries(services)) {
    const bundle = bundleOf(service.command);
    if (bundle === undefined) continue;
    const { hosting, faults: configFaults } = await readEnvironment(bundle, service.environment ?? {});
    faults.push(...configFaults.map((message) => `${name}: ${message}`), ...hardening(name, service));
    if (hosting === null) continue;
    if (!service.volumes?.some((volume) => volume.endsWith(`:${extensionsFolder}:ro`)))
      faults.push(`${name}: ${extensionsFolder} is not mounted read-only`);
    listens.set(name, [hosting.Port, hosting.InternalPort]);
    const probe = `http://127.0.0.1:${hosting.Port}${hosting.ReadinessPath}'`;
    if (!service.healthcheck?.test?.join(' ').includes(probe)) {
      faults.push(`${name}: its health check does not ask ${probe.slice(0, -1)}`);
    }
    if (seconds(service.stop_grace_period) <= hosting.ShutdownSeconds) {
      faults.push(
        `${name}: stop_grace_period is not longer than the ${hosting.ShutdownSeconds} s a stop may take`,
      );
    }
    for (const port of service.ports ?? []) {
      const target = typeof port === 'object' ? port.target : Number(port.split(':').at(-1));
      if (name !== 'gateway') faults.push(`${name}: only the gateway may be published`);
      else if (target !== hosting.Port)
        faults.push(`${name}: publishes ${target}, but listens on ${hosting.Port}`);
    }
  }
  faults.push(...addressFaults(services, listens));
  return faults.map((message) => ({ file, message }));
}

/** The bundle a command starts: what follows `node` and its flags. */
export function bundleOf(command: readonly string[] | undefined): string | undefined {
  if (command?.[0] !== 'node') return undefined;
  return command.slice(1).find((word) => !word.startsWith('--'));
}

/** `host:port` of every URL in an environment. */
export function addressesIn(
  environment: Record<string, string>,
): { key: string; host: string; port: number }[] {
  return Object.entries(environment).flatMap(([key, value]) =>
    [...value.matchAll(/\w+:\/\/(?:[^@/\s]*@)?([a-z0-9.-]+):(\d+)/g)].map(([, host, port]) => ({
      key,
      host: host!,
      port: Number(port),
    })),
  );
}

function lint(composeFile: string): string[] {
  const linter = new DCLinter({ rules: readingOrder, quiet: true, debug: false, exclude: [] });
  return linter
    .lintFiles([composeFile], false)
    .flatMap(({ messages }) => messages)
    .map(({ line, message, rule }) => `line ${line}: ${message} (${rule})`);
}

function addressFaults(services: Record<string, ComposeService>, listens: Map<string, number[]>): string[] {
  return Object.entries(services).flatMap(([name, { environment = {} }]) =>
    addressesIn(environment)
      .filter(({ host, port }) => !listens.get(host)?.includes(port))
      .map(({ key, host, port }) => `${name}: ${key} names ${host}:${port}, where nobody listens`),
  );
}

function hardening(name: string, service: ComposeService): string[] {
  const faults: string[] = [];
  if (service.read_only !== true) faults.push(`${name}: its file system is not read-only`);
  if (!service.cap_drop?.includes('ALL')) faults.push(`${name}: keeps capabilities`);
  if (!service.security_opt?.includes('no-new-privileges:true')) faults.push(`${name}: may gain privileges`);
  return faults;
}

/** Replaces `${NAME}` and `${NAME:-default}` in every text, as Compose does. */
function interpolate(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\$\{([A-Z_]+)(?::-([^}]*))?\}/g,
      (_, name: string, fallback = '') => variables[name] || fallback,
    );
  }
  if (Array.isArray(value)) return value.map((element) => interpolate(element, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, interpolate(child, variables)]),
  );
}

let secrets: Record<string, string> | undefined;

/** Those that an operator adds for extensions: an empty one counts as not set, so that a wrong key would not be seen. */
const extensions = {
  CANVASS_HEALTH_CHECKS: `["${extensionsFolder}/check.mjs"]`,
  CANVASS_HEALTH_WRITER: `${extensionsFolder}/writer.mjs`,
  CANVASS_DISPLAY_ID_CLAIM_TYPES: '["badge"]',
  CANVASS_PROFILE_SNAPSHOT_FIELDS: '["department"]',
  CANVASS_SUBMITTER_EXTRACTORS: `["${extensionsFolder}/extractor.mjs"]`,
  CANVASS_SUBMITTER_RESOLVER: `${extensionsFolder}/resolver.mjs`,
  CANVASS_EXTRACTOR_TIMEOUT_MS: '500',
};

/** The variables an operator gets from the command that the file's head names, and those for extensions. */
function newSecrets(): Record<string, string> {
  return (secrets ??= Object.fromEntries(
    execFileSync(process.execPath, [path.join(__dirname, '../new-secrets.mjs')], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
      .concat(Object.entries(extensions)),
  ));
}

function seconds(period: string | undefined): number {
  return Number(/^(\d+)s$/.exec(period ?? '')?.[1] ?? 0);
}

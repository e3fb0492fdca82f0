// Writes new secrets for docker-compose.yml:
//   node deploy/new-secrets.mjs [file]            all of them in an environment file, `.env` by default
//   node deploy/new-secrets.mjs --files [folder]  for docker-compose.secrets.yml: a folder, `secrets` by default, and
//                                                 what is not secret in `.env`
// Existing files are never overwritten. Plain JavaScript without dependencies, so that it runs on a host that has
// only Node. Letters and digits only where a value becomes part of a URL.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'boolean', default: false } },
});

const word = (bytes) => randomBytes(bytes).toString('hex');
const key = () => `k1:${randomBytes(32).toString('base64')}`;

const withBroker = { Submissions: 'SUBMISSIONS', DataLists: 'DATALISTS', WebHooks: 'WEBHOOKS' };
const withSchema = { Identity: 'IDENTITY', ...withBroker };
const withKey = ['IDENTITY', 'SUBMISSIONS', 'WEBHOOKS'];
const each = (areas, suffix, make) =>
  Object.fromEntries(areas.map((area) => [`CANVASS_${area}_${suffix}`, make()]));
const secrets = {
  CANVASS_POSTGRES_PASSWORD: word(16),
  CANVASS_RABBITMQ_PASSWORD: word(16),
  ...each(Object.values(withSchema), 'DB_PASSWORD', () => word(16)),
  ...each(Object.values(withSchema), 'OWNER_DB_PASSWORD', () => word(16)),
  ...each(Object.values(withBroker), 'RABBITMQ_PASSWORD', () => word(16)),
  CANVASS_INTERNAL_SECRET: word(32),
  ...each(withKey, 'ENCRYPTION_KEY', key),
};
/** Read once: the user and Grafana store them at their first start. */
const firstPasswords = { CANVASS_GRAFANA_PASSWORD: word(12), CANVASS_ADMIN_PASSWORD: word(12) };
const others = { CANVASS_TENANT_NAME: 'Main', CANVASS_ADMIN_EMAIL: 'admin@example.com' };

const databaseUrl = (user, password) => `postgres://${user}:${password}@postgres:5432/postgres`;
const brokerUrl = (user, password) => `amqp://${user}:${password}@rabbitmq:5672`;

/** The configuration of each process, and what else is a file, by the name of the file. */
function secretFiles() {
  const of = (name) => secrets[`CANVASS_${name}`];
  const user = (area) => `canvass_${area.toLowerCase()}`;
  /** What the process of an area reads. */
  const settings = (area, more = {}) => ({
    Database: { Url: databaseUrl(user(area), of(`${area}_DB_PASSWORD`)) },
    ...(area === 'IDENTITY'
      ? {}
      : { Broker: { Url: brokerUrl(user(area), of(`${area}_RABBITMQ_PASSWORD`)) } }),
    ...(withKey.includes(area) ? { Encryption: { Keys: [of(`${area}_ENCRYPTION_KEY`)] } } : {}),
    Internal: { Secret: of('INTERNAL_SECRET') },
    ...more,
  });
  const ownerUrl = (area) => databaseUrl(`${user(area)}_owner`, of(`${area}_OWNER_DB_PASSWORD`));
  const passwords = (suffix, areas) =>
    Object.fromEntries(Object.entries(areas).map(([member, area]) => [member, of(`${area}_${suffix}`)]));
  const Provision = {
    AdminUrl: databaseUrl('postgres', of('POSTGRES_PASSWORD')),
    Passwords: passwords('DB_PASSWORD', withSchema),
    OwnerPasswords: passwords('OWNER_DB_PASSWORD', withSchema),
    Broker: {
      ManagementUrl: `http://canvass:${of('RABBITMQ_PASSWORD')}@rabbitmq:15672`,
      Passwords: passwords('RABBITMQ_PASSWORD', withBroker),
    },
  };
  const Bootstrap = [{ AdminPassword: firstPasswords.CANVASS_ADMIN_PASSWORD }];
  const json = (Service) => `${JSON.stringify({ Service }, null, 2)}\n`;
  return {
    'postgres-password': of('POSTGRES_PASSWORD'),
    'rabbitmq.conf': `default_user = canvass\ndefault_pass = ${of('RABBITMQ_PASSWORD')}\n`,
    'provision.json': json({ Provision }),
    'identity-svc.json': json(settings('IDENTITY', { Bootstrap })),
    'submissions-svc.json': json(settings('SUBMISSIONS')),
    'datalists-svc.json': json(settings('DATALISTS')),
    'webhook-relay-svc.json': json(settings('WEBHOOKS')),
    'identity-owner-url': ownerUrl('IDENTITY'),
    'submissions-owner-url': ownerUrl('SUBMISSIONS'),
    'datalists-owner-url': ownerUrl('DATALISTS'),
    'webhooks-owner-url': ownerUrl('WEBHOOKS'),
  };
}

function writeEnvironment(file, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600, flag: 'wx' });
}

function writeFiles(folder) {
  const environment = path.join(path.dirname(folder), '.env');
  if (existsSync(environment)) throw Object.assign(new Error(), { code: 'EEXIST', path: environment });
  // Containers run as several users, so that the files are for all and the folder is for its owner.
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(secretFiles()))
    writeFileSync(path.join(folder, name), text, { mode: 0o444 });
  const { CANVASS_GRAFANA_PASSWORD } = firstPasswords;
  writeEnvironment(environment, { ...others, CANVASS_GRAFANA_PASSWORD });
  return path.join(folder, 'identity-svc.json');
}

const target = positionals[0] ?? (options.files ? 'secrets' : '.env');
try {
  let passwordIn = target;
  if (options.files) passwordIn = writeFiles(target);
  else writeEnvironment(target, { ...secrets, ...firstPasswords, ...others });
  console.log(
    `${target} has new secrets. The administrator is admin@example.com; the password is in ${passwordIn}.`,
  );
} catch (error) {
  const exists = error.code === 'EEXIST' && `${error.path} exists and was not changed.`;
  console.error(exists || error.message);
  process.exitCode = 1;
}

import { defaultPrefix } from '@canvass/postgres';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readJson, writeJson } from '../infra';

/** Random secrets of one stack, made once and kept beside its data. */
export interface Secrets {
  postgresPassword: string;
  /** First word of the names of its roles and RabbitMQ users, so that several stacks share servers. */
  prefix: string;
  /** Password of each service's database role, by service. */
  rolePasswords: Record<string, string>;
  /** Password of the role that owns the schema of each service, by service. */
  ownerPasswords: Record<string, string>;
  /** Password of each service's RabbitMQ user, by service. */
  brokerPasswords: Record<string, string>;
  /** Signs the tokens services use among each other. */
  internalSecret: string;
  /** Encrypts keys and secrets at rest, by service: `k1:<base64 of 32 bytes>`. */
  encryptionKeys: Record<string, string>;
  adminPassword: string;
  otherAdminPassword: string;
  clientSecret: string;
  otherClientSecret: string;
}

/** Letters and digits only: fits into URLs, environment variables and shells unquoted. */
const word = (bytes: number) => randomBytes(bytes).toString('hex');
const encryptionKey = () => `k1:${randomBytes(32).toString('base64')}`;

/** Reads `<dir>/secrets.json` (mode 0600), making it first, or what a newer version adds to it. */
export function loadSecrets(dir: string, services: readonly string[]): Secrets {
  const file = path.join(dir, 'secrets.json');
  const known = readJson<Partial<Secrets>>(file) ?? {};
  const each = (kept: Record<string, string> | undefined, make: () => string) =>
    Object.fromEntries(services.map((service) => [service, kept?.[service] ?? make()]));
  const secrets: Secrets = {
    postgresPassword: known.postgresPassword ?? word(16),
    prefix: known.prefix ?? (known.rolePasswords ? defaultPrefix : `${defaultPrefix}_${word(3)}`),
    rolePasswords: each(known.rolePasswords, () => word(16)),
    ownerPasswords: each(known.ownerPasswords, () => word(16)),
    brokerPasswords: each(known.brokerPasswords, () => word(16)),
    internalSecret: known.internalSecret ?? word(32),
    encryptionKeys: each(known.encryptionKeys, encryptionKey),
    adminPassword: known.adminPassword ?? word(12),
    otherAdminPassword: known.otherAdminPassword ?? word(12),
    clientSecret: known.clientSecret ?? word(24),
    otherClientSecret: known.otherClientSecret ?? word(24),
  };
  writeJson(file, secrets, 0o600);
  return secrets;
}

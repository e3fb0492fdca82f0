// Writes an environment file with new secrets for docker-compose.yml: node deploy/new-secrets.mjs [file]
// The file is `.env` by default and readable by its owner only. An existing file is never overwritten.
// Plain JavaScript without dependencies, so that it runs on a host that has only Node. Letters and digits only
// where a value becomes part of a URL.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const word = (bytes) => randomBytes(bytes).toString('hex');
const key = () => `k1:${randomBytes(32).toString('base64')}`;

const values = {
  CANVASS_POSTGRES_PASSWORD: word(16),
  CANVASS_RABBITMQ_PASSWORD: word(16),
  CANVASS_IDENTITY_DB_PASSWORD: word(16),
  CANVASS_SUBMISSIONS_DB_PASSWORD: word(16),
  CANVASS_DATALISTS_DB_PASSWORD: word(16),
  CANVASS_WEBHOOKS_DB_PASSWORD: word(16),
  CANVASS_SUBMISSIONS_RABBITMQ_PASSWORD: word(16),
  CANVASS_DATALISTS_RABBITMQ_PASSWORD: word(16),
  CANVASS_WEBHOOKS_RABBITMQ_PASSWORD: word(16),
  CANVASS_INTERNAL_SECRET: word(32),
  CANVASS_IDENTITY_ENCRYPTION_KEY: key(),
  CANVASS_SUBMISSIONS_ENCRYPTION_KEY: key(),
  CANVASS_WEBHOOKS_ENCRYPTION_KEY: key(),
  CANVASS_TENANT_NAME: 'Main',
  CANVASS_ADMIN_EMAIL: 'admin@example.com',
  CANVASS_ADMIN_PASSWORD: word(12),
};
const text = Object.entries(values)
  .map(([name, value]) => `${name}=${value}\n`)
  .join('');

const file = process.argv[2] ?? '.env';
try {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  console.log(
    `${file} has new secrets. The administrator is admin@example.com; the password is in the file.`,
  );
} catch (error) {
  console.error(error.code === 'EEXIST' ? `${file} exists and was not changed.` : error.message);
  process.exitCode = 1;
}

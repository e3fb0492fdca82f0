// Prints an environment file with fresh secrets for docker-compose.yml: node deploy/new-secrets.mjs > .env
// Plain JavaScript without dependencies, so that it runs on a host that has nothing but Node. Letters and digits only
// where a value ends up in a URL.
import { randomBytes } from 'node:crypto';

const word = (bytes) => randomBytes(bytes).toString('hex');
const key = () => `k1:${randomBytes(32).toString('base64')}`;

const lines = {
  CANVASS_POSTGRES_PASSWORD: word(16),
  CANVASS_RABBITMQ_PASSWORD: word(16),
  CANVASS_IDENTITY_DB_PASSWORD: word(16),
  CANVASS_SUBMISSIONS_DB_PASSWORD: word(16),
  CANVASS_DATALISTS_DB_PASSWORD: word(16),
  CANVASS_WEBHOOKS_DB_PASSWORD: word(16),
  CANVASS_INTERNAL_SECRET: word(32),
  CANVASS_IDENTITY_ENCRYPTION_KEY: key(),
  CANVASS_SUBMISSIONS_ENCRYPTION_KEY: key(),
  CANVASS_WEBHOOKS_ENCRYPTION_KEY: key(),
  CANVASS_TENANT_NAME: 'Main',
  CANVASS_ADMIN_EMAIL: 'admin@example.com',
  CANVASS_ADMIN_PASSWORD: word(12),
};
for (const [name, value] of Object.entries(lines)) console.log(`${name}=${value}`);

import {
  createAuthenticator,
  createKeyRing,
  createSecretBox,
  type Authenticator,
  type KeyRing,
} from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import {
  createDatabase,
  createIdempotencyStore,
  createResealer,
  createSigningKeyStore,
  databaseCheck,
  prepareSchema,
  observePool,
  problemFromPostgres,
} from '@canvass/postgres';
import type { ServiceContext, ServiceParts } from '@canvass/service-kit';
import { migrations } from '../migrations';
import type { IdentitySettings } from './config';
import { keyRoutes } from './keys';
import { serviceAccountRoutes } from './service-accounts';
import { bootstrap } from './tenants';
import { invalidCredentials, startHousekeeping, tokenRoutes } from './tokens';
import { userRoutes } from './users';

/** What tests replace of the outside world. */
export interface Outside {
  /** Milliseconds since 1970, for the rotation of the signing keys. */
  now?: () => number;
}

const mapError = problemFromPostgres({
  users_email_unique: () => new Problem('email_already_exists'),
  users_tenant_fk: () => notFound('tenant'),
  service_accounts_tenant_fk: () => notFound('tenant'),
  refresh_tokens_user_fk: () => invalidCredentials('The user was deleted.'),
});

/** Puts the service together from its slices. Connects nothing: `start` does, while health already answers. */
export function createApp(
  settings: IdentitySettings,
  context: ServiceContext,
  { now = Date.now }: Outside = {},
): ServiceParts {
  const { logger, health, metrics, signal } = context;
  const db = createDatabase(settings.Database, {
    applicationName: context.name,
    onError: (error) => logger.warn({ error }, 'database connection error'),
  });
  const box = createSecretBox(settings.Encryption.Keys);
  const keys = createSigningKeyStore({ db, box, table: 'signing_keys', context: 'signing-key' });
  const keyRing = createKeyRing(keys, {
    rotateEveryHours: settings.Tokens.RotateKeysEveryHours,
    overlapHours: settings.Tokens.KeyOverlapHours,
    now,
    onWarning: (message, details) => logger.warn(details, message),
  });
  const resealer = createResealer({
    db,
    columns: [keys.sealed],
    onDone: (renewal) => logger.info(renewal, 'sealed anew what older encryption keys sealed'),
    onError: (error) => logger.warn({ error }, 'what older encryption keys sealed could not be sealed anew'),
  });
  // Sealed: the answer to a new service account holds its secret.
  const idempotency = createIdempotencyStore({
    db,
    box,
    onError: (error) => logger.warn({ error }, 'expired idempotency keys could not be removed'),
  });
  health.register(databaseCheck(db, { name: 'identity-database' }));
  observePool(metrics, db);
  let stopHousekeeping = () => {};

  return {
    endpoints: [
      ...keyRoutes(keyRing),
      ...tokenRoutes({ db, keyRing, settings, logger }),
      ...userRoutes(db, idempotency),
      ...serviceAccountRoutes(db, idempotency),
    ],
    authenticator: ownAuthenticator(settings, keyRing, context, now),
    mapError,
    async start() {
      await prepareSchema(settings.Database, migrations, { signal, logger });
      await keyRing.start();
      const made = await bootstrap(db, settings.Bootstrap);
      if (made.length > 0) logger.info({ tenants: made }, 'tenants created');
      if (signal.aborted) return;
      stopHousekeeping = startHousekeeping(db, logger);
      idempotency.start();
      resealer.start();
    },
    async stop() {
      keyRing.stop();
      stopHousekeeping();
      idempotency.stop();
      resealer.stop();
      await db.close();
    },
  };
}

/** Verifies the own tokens as every service does, except that the key set is at hand instead of behind an address. */
function ownAuthenticator(
  settings: IdentitySettings,
  keyRing: KeyRing,
  { logger }: ServiceContext,
  now: () => number,
): Authenticator {
  const ownKeys = 'https://identity.invalid/.well-known/jwks.json';
  return createAuthenticator(
    { Own: { ...settings.Auth.Own, JwksUri: ownKeys }, Providers: settings.Auth.Providers },
    {
      now,
      onWarning: (message, details) => logger.warn(details, message),
      async fetch(url, init) {
        if (url !== ownKeys) return fetch(url, init);
        await keyRing.refresh(); // another copy may have made a key since
        return Response.json(keyRing.jwks());
      },
    },
  );
}

import { auditInternalRoutes, createAuditTrail } from '@canvass/audit';
import {
  createAuthenticator,
  createKeyRing,
  createSecretBox,
  createServiceTokens,
  internalSecrets,
  type Authenticator,
  type KeyRing,
} from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import { createHealthLog, healthLogRoutes } from '@canvass/health-log';
import { createMailer } from '@canvass/mail';
import {
  createDatabase,
  createIdempotencyStore,
  createReencryption,
  databaseCheck,
  prepareSchema,
  observePool,
  problemFromPostgres,
} from '@canvass/postgres';
import { createQuotas, quotaRoutes } from '@canvass/quotas';
import type { ServiceContext, ServiceParts } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { auditRoutes, createAreas } from './audit';
import type { IdentitySettings } from './config';
import { keyRoutes, signingKeys } from './keys';
import { countUses, quotaRules } from './quotas';
import { onlyCurrentTokens, revocationRoutes } from './revocations';
import { passwordLinkRoutes } from './password-links';
import { sealedSecrets } from './second-factor';
import { roleRoutes } from './roles';
import { createJobs, jobsRoutes } from './jobs';
import { createAskAreas, searchRoutes } from './search';
import { serviceAccountRoutes } from './service-accounts';
import { sessionRoutes } from './sessions';
import { bootstrap } from './tenants';
import {
  browserSessionRoutes,
  createHousekeeping,
  guardOthers,
  invalidCredentials,
  ownAccountRoutes,
  secondFactorRoutes,
  tokenRoutes,
} from './tokens';
import { userRoutes } from './users';
import { erasedTextRoutes, viewRoutes } from './views';

/** The parts of the outside world that tests replace. */
export interface Outside {
  /** Milliseconds since 1970, for the rotation of the signing keys. */
  now?: () => number;
}

const mapError = problemFromPostgres({
  users_email_per_tenant: () => new Problem('email_already_exists'),
  users_tenant_fk: () => notFound('tenant'),
  password_links_user_fk: () => notFound('user'),
  service_accounts_tenant_fk: () => notFound('tenant'),
  refresh_tokens_user_fk: () => invalidCredentials('The user was deleted.'),
});

/** Assembles the service from its slices. `start` connects to the database; health responds before. */
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
  const keys = signingKeys(db, box);
  const keyRing = createKeyRing(keys, {
    rotateEveryHours: settings.Tokens.RotateKeysEveryHours,
    overlapHours: settings.Tokens.KeyOverlapHours,
    // A withdrawn key stops signing within this time.
    refreshSeconds: 5,
    now,
    onWarning: (message, details) => logger.warn(details, message),
  });
  const reencryption = createReencryption({
    db,
    columns: [keys.sealed, sealedSecrets(box)],
    onDone: (result) => logger.info(result, 're-encrypted values sealed with retired keys'),
    onError: (error) => logger.warn({ error }, 're-encryption failed; trying again later'),
  });
  // Sealed, because the response to a new service account contains its secret.
  const idempotency = createIdempotencyStore({
    db,
    box,
    onError: (error) => logger.warn({ error }, 'failed to delete expired idempotency keys'),
  });
  health.register(databaseCheck(db, { name: 'identity-database' }));
  observePool(metrics, db);
  const housekeeping = createHousekeeping(db, logger);
  const audit = createAuditTrail({ db, logger, metrics, keptDays: settings.Audit.RetentionDays });
  const healthLog = createHealthLog({ db, health, logger });
  const serviceTokens = createServiceTokens(internalSecrets(settings.Internal));
  const quotas = createQuotas(quotaRules, settings.Quotas, countUses, metrics);
  const mailer = createMailer(settings.Mail);
  const jobs = createJobs(settings.Audit.Areas, {
    tokens: serviceTokens,
    onFailure: (area, error) => logger.warn({ area, error }, 'the jobs of an area cannot be read'),
  });
  const tokenDeps = { db, keyRing, box, settings, logger };

  /** Started in this order, and stopped side by side. */
  const parts = [housekeeping, audit, healthLog, idempotency, reencryption];

  return {
    endpoints: guardOthers(box, [
      ...keyRoutes(keyRing),
      ...tokenRoutes(tokenDeps),
      ...browserSessionRoutes(tokenDeps),
      ...secondFactorRoutes(tokenDeps),
      ...ownAccountRoutes(tokenDeps),
      ...passwordLinkRoutes({ db, logger, signIn: settings.SignIn, mail: settings.Mail, mailer }),
      ...sessionRoutes(db),
      ...roleRoutes(),
      ...userRoutes(db, idempotency, quotas),
      ...serviceAccountRoutes(db, idempotency, quotas),
      ...viewRoutes(db, idempotency),
      ...quotaRoutes(db, quotas, {
        path: '/api/tenant/quotas/accounts',
        operationId: 'getQuotasOfAccounts',
        summary: 'The quotas of the tenant for users and service accounts',
      }),
      ...healthLogRoutes(db, {
        service: 'identity-svc',
        path: '/api/operations/health/identity',
        name: 'Identity',
      }),
      ...auditRoutes(db, createAreas(db, settings.Audit.Areas, serviceTokens)),
      ...jobsRoutes(jobs),
      ...searchRoutes(
        createAskAreas(db, settings.Audit.Areas, {
          tokens: serviceTokens,
          onFailure: (area, error) => logger.warn({ area, error }, 'an area cannot be searched'),
        }),
      ),
    ]),
    internalEndpoints: [...revocationRoutes(db), ...auditInternalRoutes(db), ...erasedTextRoutes(db, jobs)],
    authenticator: onlyCurrentTokens(ownAuthenticator(settings, keyRing, context, now), db),
    serviceTokens,
    mapError,
    async start() {
      await prepareSchema(settings.Database, migrations, { signal, logger });
      await keyRing.start();
      const made = await bootstrap(db, settings.Bootstrap);
      if (made.length > 0) logger.info({ tenants: made }, 'tenants created');
      if (signal.aborted) return;
      for (const part of parts) part.start();
    },
    async stop() {
      await Promise.all([keyRing, ...parts].map((part) => part.stop()));
      await db.close();
    },
  };
}

/** Verifies own tokens like every service, but reads the key set from memory. */
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
        await keyRing.refresh(); // another replica may have created a key
        return Response.json(keyRing.jwks());
      },
    },
  );
}

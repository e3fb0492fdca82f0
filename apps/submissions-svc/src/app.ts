import { auditInternalRoutes, createAuditTrail } from '@canvass/audit';
import {
  createAuthenticator,
  createKeyRing,
  createRevocations,
  createSecretBox,
  createServiceTokens,
  internalSecrets,
} from '@canvass/auth';
import { serviceTopology } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import { createHealthLog, healthLogRoutes } from '@canvass/health-log';
import { createJobWorker, exportKind, jobInternalRoutes, jobRoutes, kindsOf } from '@canvass/jobs';
import { brokerCheck, createBroker, observeBroker } from '@canvass/messaging';
import { createDispatcher, outboxCheck, type Wake } from '@canvass/outbox';
import {
  createDatabase,
  createIdempotencyStore,
  createReencryption,
  createSigningKeyStore,
  databaseCheck,
  prepareSchema,
  observePool,
  problemFromPostgres,
} from '@canvass/postgres';
import { createQuotas, quotaRoutes } from '@canvass/quotas';
import { searchInternalRoutes } from '@canvass/search';
import { currentOwner, publicationSpans, type ServiceContext, type ServiceParts } from '@canvass/service-kit';
import { createAddressPolicy, type Resolver } from '@canvass/webhook-addresses';
import { migrations } from '../migrations';
import { accessTokenRoutes } from './access-tokens';
import { createAnswerCheck } from './answer-check';
import { bulkKind, bulkRoutes, bulkStep } from './bulk';
import { createChallenges } from './challenges';
import type { SubmissionsConfig } from './config';
import { countUses, createRecount, createSubmissionUse, quotaRules } from './quotas';
import { createExportExpiry, exportRoutes, exportStep } from './exports';
import { invitationKind, invitationRoutes, invitationStep } from './invitations';
import { createReadListLabels } from './list-labels';
import { createRetention } from './retention';
import { searchSources } from './search';
import { challengeRoutes, formRoutes, formSettingsRoutes, formVersionRoutes } from './forms';
import {
  codebookRoutes,
  gateConstraint,
  commentRoutes,
  linkRoutes,
  onBehalfRoutes,
  holderRoutes,
  respondentRoutes,
  submissionBodies,
  submissionRoutes,
  internalTextRoutes,
  textRoutes,
  type SubmitterField,
} from './submissions';
import { summaryRoutes } from './summary';
import {
  createDeletedAccounts,
  createErasedTexts,
  createSubmitters,
  erasureKind,
  erasureStep,
  loadResolver,
  submitterRoutes,
} from './submitters';
import {
  sealedSettingsColumns,
  webhookSettingsInternalRoutes,
  webhookSettingsRoutes,
} from './webhook-settings';

/** Replacements of external systems for tests. */
export interface Outside {
  /** Resolves the host names of webhook endpoints; default is the resolver of the system. */
  resolver?: Resolver;
}

/** Form-access tokens are valid for an hour, their keys for a month. */
const keyRotation = { rotateEveryHours: 720, overlapHours: 24 };

/** Assembles the service. `start` connects to database and broker. */
export async function createApp(
  config: SubmissionsConfig,
  { name, logger, metrics, tracing, health, signal }: ServiceContext,
  { resolver }: Outside = {},
): Promise<ServiceParts> {
  const warn = (message: string, details: Record<string, unknown>) => logger.warn(details, message);
  const lockTimeoutMs = config.Submissions.LockTimeoutMs;
  const db = createDatabase(config.Database, {
    applicationName: name,
    ownerOf: currentOwner,
    lockTimeoutMs,
    onError: (error) => logger.warn({ error }, 'database connection error'),
  });
  const broker = createBroker(config.Broker, { name, topology: serviceTopology, logger });
  const dispatcher = createDispatcher({
    db,
    broker,
    logger,
    metrics,
    keepHours: config.Outbox.KeepHours,
    ...publicationSpans(tracing),
  });
  health.register(databaseCheck(db));
  health.register(brokerCheck(broker));
  health.register(outboxCheck(dispatcher));
  observePool(metrics, db);
  observeBroker(metrics, broker);

  const serviceTokens = createServiceTokens(internalSecrets(config.Internal));
  const revocations = createRevocations(config.Auth.Own, {
    serviceToken: () => serviceTokens.sign(name),
    onWarning: warn,
    onEntry: (revocation) => deletedAccounts.add(revocation),
  });
  const deletedAccounts = createDeletedAccounts(db, logger);
  health.register(revocations.check);
  const box = createSecretBox(config.Encryption.Keys);
  const keyStore = createSigningKeyStore({ db, box, table: 'form_access_keys', context: 'form-access-key' });
  const keys = createKeyRing(keyStore, { ...keyRotation, onWarning: warn });
  const reencryption = createReencryption({
    db,
    columns: [keyStore.sealed, ...sealedSettingsColumns(box)],
    onDone: (result) => logger.info(result, 're-encrypted values sealed with retired keys'),
    onError: (error) => logger.warn({ error }, 're-encryption failed; trying again later'),
  });
  const submitters = createSubmitters(
    config.Submitter,
    await loadResolver(config.Submitter),
    config.Auth.Providers.map(({ Name }) => Name),
  );
  const dropped = metrics.counter<'field'>({
    name: 'submitter_fields_dropped_total',
    help: 'Ignored members of public requests that tried to set a submitter.',
    labels: ['field'],
  });
  const wake: Wake = (...args) => dispatcher.wake(...args);
  const quotas = createQuotas(quotaRules, config.Quotas, countUses, metrics);
  const profileFields = config.Submitter.ProfileSnapshotFields;
  const readListLabels = createReadListLabels(config.DataLists, () => serviceTokens.sign(name));
  const answerCheck = createAnswerCheck(config.AnswerCheck, { db, readListLabels, logger, metrics });
  const use = createSubmissionUse({
    db,
    quotas,
    onError: (error) => logger.warn({ error }, 'failed to send the uses of quotas; retrying in a second'),
  });
  const jobs = createJobWorker({
    db,
    logger,
    metrics,
    kinds: {
      [bulkKind]: bulkStep(profileFields),
      [exportKind]: exportStep({
        profileFields,
        quotas,
        readListLabels,
        keptHours: config.Exports.KeptHours,
      }),
      [invitationKind]: invitationStep({ submitters, use, box, keptHours: config.Exports.KeptHours }),
      [erasureKind]: erasureStep,
    },
    revocations,
    keptSeconds: config.Retention.JobDays * 86_400,
    onStep: () => wake(),
  });
  const erasedTexts = createErasedTexts(db, config.Auth.Own?.RevocationsUri, {
    tokens: serviceTokens,
    logger,
    name,
  });
  const exportExpiry = createExportExpiry(db, logger);
  const idempotency = createIdempotencyStore({
    db,
    box,
    onCommit: wake,
    onError: (error) => logger.warn({ error }, 'failed to delete expired idempotency keys'),
  });
  const audit = createAuditTrail({ db, logger, metrics, keptDays: config.Audit.RetentionDays });
  const healthLog = createHealthLog({ db, health, logger });
  const retention = createRetention({ db, settings: config.Retention, logger, metrics, wake });
  const recount = createRecount(db, logger);
  const challenges = createChallenges(config.PublicForms, {
    db,
    secrets: internalSecrets(config.Internal),
    logger,
    metrics,
  });
  const deps = {
    db,
    readListLabels,
    answerCheck,
    challenges,
    quotas,
    use,
    box,
    keys,
    submitters,
    idempotency,
    wake,
    wakeJobs: () => jobs.wake(),
    profileFields,
    bodies: submissionBodies(config.Submissions),
    revocations,
    maxMetadataBytes: config.Submissions.MaxMetadataBytes,
    graceMinutes: config.Submissions.ClosingGraceMinutes,
    rules: {
      profileFields,
      policy: createAddressPolicy(config.WebHooks),
      ...(resolver ? { resolver } : {}),
    },
    countDropped: (field: SubmitterField) => dropped.inc({ field }),
  };

  /** Started in this order, and stopped side by side. */
  const parts = [
    idempotency,
    retention,
    jobs,
    exportExpiry,
    erasedTexts,
    deletedAccounts,
    use,
    recount,
    challenges,
    reencryption,
    audit,
    healthLog,
    answerCheck,
  ];

  return {
    endpoints: [
      ...formRoutes(deps),
      ...formVersionRoutes(deps),
      ...formSettingsRoutes(deps),
      ...respondentRoutes(deps),
      ...holderRoutes(deps),
      ...onBehalfRoutes(deps),
      ...submissionRoutes(deps),
      ...textRoutes(deps),
      ...codebookRoutes(deps),
      ...summaryRoutes(deps),
      ...linkRoutes(deps),
      ...commentRoutes(deps),
      ...bulkRoutes(deps),
      ...exportRoutes(deps),
      ...invitationRoutes(deps),
      ...jobRoutes({
        db,
        path: '/api/submissions/jobs',
        name: 'Submission',
        kinds: kindsOf('forms'),
        view: 'Submissions.View',
        manage: 'Submissions.View',
      }),
      ...submitterRoutes(deps),
      ...webhookSettingsRoutes(deps),
      ...accessTokenRoutes(deps),
      ...challengeRoutes(deps),
      ...healthLogRoutes(db, {
        service: name,
        path: '/api/operations/health/submissions',
        name: 'Submissions',
      }),
      ...quotaRoutes(db, quotas, {
        path: '/api/tenant/quotas/forms',
        operationId: 'getQuotasOfForms',
        summary: 'The quotas of the tenant for forms, submissions and webhook endpoints',
      }),
    ],
    internalEndpoints: [
      ...webhookSettingsInternalRoutes(deps),
      ...internalTextRoutes(deps),
      ...auditInternalRoutes(db),
      ...searchInternalRoutes(db, searchSources),
      ...jobInternalRoutes(db, () => jobs.wake()),
    ],
    authenticator: createAuthenticator(config.Auth, { onWarning: warn, revocations }),
    serviceTokens,
    mapError: problemFromPostgres({
      [gateConstraint]: () => new Problem('submission_already_exists'),
      forms_slug: () => new Problem('slug_taken'),
    }),
    async start() {
      const revocationsRead = revocations.start();
      if (config.WebHooks.AllowedNetworks.length > 0)
        warn('webhooks may reach non-public networks', {
          networks: config.WebHooks.AllowedNetworks,
        });
      await prepareSchema(config.Database, migrations, { signal, logger, lockTimeoutMs });
      await revocationsRead;
      await keys.start();
      dispatcher.start();
      for (const part of parts) part.start();
    },
    async stop() {
      await Promise.all([revocations, keys, ...parts].map((part) => part.stop()));
      await dispatcher.stop();
      await broker.close();
      await db.close();
    },
  };
}

import { auditInternalRoutes, createAuditTrail } from '@canvass/audit';
import {
  createAuthenticator,
  createRevocations,
  createSecretBox,
  createServiceTokens,
  internalSecrets,
} from '@canvass/auth';
import { queues, serviceTopology } from '@canvass/contracts';
import { createHealthLog, healthLogRoutes } from '@canvass/health-log';
import { createJobWorker, jobInternalRoutes, jobRoutes, kindsOf } from '@canvass/jobs';
import { createMailer } from '@canvass/mail';
import { brokerCheck, createBroker, observeBroker, type Consumer } from '@canvass/messaging';
import { createDispatcher, outboxCheck } from '@canvass/outbox';
import {
  createIdempotencyStore,
  createReencryption,
  databaseCheck,
  prepareSchema,
  observePool,
  problemFromPostgres,
  type Database,
} from '@canvass/postgres';
import { searchInternalRoutes } from '@canvass/search';
import { publicationSpans, type ServiceContext, type ServiceParts } from '@canvass/service-kit';
import { createAddressPolicy, createProxy, type Resolver } from '@canvass/webhook-addresses';
import { migrations } from '../migrations';
import { alertRoutes, createAlertWorker, createMailCount } from './alerts';
import { createAskTexts } from './answer-texts';
import type { RelaySettings } from './config';
import { trialRoutes } from './endpoint-trial';
import { createSettings, createSettingsOwner, endpointRoutes, sealedSecretColumns } from './endpoints';
import { addErasure, createErasureWorker } from './erasure';
import { createFilteredCounts } from './event-filter';
import { createLiveFeed, createLiveIntake, liveRoutes } from './live';
import { logRoutes } from './log';
import { openDatabase } from './open-database';
import {
  createDeliverer,
  createDeliveryMetrics,
  createFanOut,
  createHealthNotes,
  createLeases,
  createMessageBodies,
  createRecorder,
  createSender,
  createSendSlots,
  createSweeper,
  eventConsumer,
  jobHandler,
  observeBacklog,
  publishJobs,
  takeEvents,
} from './pipeline';
import { recoveryKind, recoveryRoutes, recoveryStep } from './recoveries';
import { createRetention } from './retention';
import { searchSources } from './search';
import { createRollUp, statisticsRoutes } from './statistics';

export const serviceName = 'webhook-relay-svc';

const jobPrefetch = 100;
/** The time that sweeps in job mode leave a new delivery to its job. */
const jobGraceSeconds = 10;
/** Deliveries of the log that one step of a recovery looks at. */
const recoveredAtOnce = 500;
/** Share of the stop time for what is in flight; what has not ended then is released. */
const stopShare = 0.78;

/** The parts of the outside world that tests replace. */
export interface Outside {
  /** Resolves the host names of webhook endpoints. */
  resolver?: Resolver;
}

/** The relay, for main.ts and for every test. */
export function createApp(
  settings: RelaySettings,
  { logger, metrics, tracing, health, signal }: ServiceContext,
  { resolver }: Outside = {},
): ServiceParts {
  const { WebHooks: webHooks, Outbox: outbox } = settings;
  const db = openDatabase(settings.Database, {
    applicationName: serviceName,
    onError: (error) => logger.warn({ error }, 'database connection error'),
  });
  const broker = createBroker(settings.Broker, { name: serviceName, topology: serviceTopology, logger });
  // Operational events are not urgent: the dispatcher polls for them twice a second.
  const dispatcher = createDispatcher({
    db,
    broker,
    logger,
    metrics,
    keepHours: outbox.KeepHours,
    ...publicationSpans(tracing),
  });
  const box = createSecretBox(settings.Encryption.Keys);
  const reencryption = createReencryption({
    db,
    columns: sealedSecretColumns(box),
    onDone: (result) => logger.info(result, 're-encrypted values sealed with retired keys'),
    onError: (error) => logger.warn({ error }, 're-encryption failed; trying again later'),
  });
  const onWarning = (message: string, details: Record<string, unknown>) => logger.warn(details, message);
  const tokens = createServiceTokens(internalSecrets(settings.Internal));
  const serviceToken = () => tokens.sign(serviceName);
  const revocations = createRevocations(settings.Auth.Own, { serviceToken, onWarning });
  health.register(revocations.check);
  const submissions = {
    baseUrl: settings.Settings.BaseUrl,
    timeoutMs: settings.Settings.TimeoutMs,
    serviceToken,
    logger,
  };
  const policy = createAddressPolicy(webHooks);
  const sender = createSender({
    policy,
    totalTimeoutMs: webHooks.TimeoutSeconds * 1000,
    resolver,
    proxy:
      webHooks.Proxy.Url === undefined ? null : createProxy({ ...webHooks.Proxy, Url: webHooks.Proxy.Url }),
  });
  const slots = createSendSlots();
  const leases = createLeases({
    db,
    box,
    slots,
    seconds: webHooks.LeaseSeconds,
    maxInFlight: webHooks.MaxInFlight,
  });
  const deliveryMetrics = createDeliveryMetrics(metrics, leases.inFlight);
  observeBacklog(metrics, db);
  const deliverer = createDeliverer({
    db,
    leases,
    bodies: createMessageBodies(db),
    sender,
    slots,
    recorder: createRecorder(db, webHooks.RetryScheduleSeconds),
    health: createHealthNotes(db, healthSettings(webHooks), deliveryMetrics, logger),
    metrics: deliveryMetrics,
    logger,
    tracing,
    timeoutMs: webHooks.TimeoutSeconds * 1000,
  });
  const sweeper = createSweeper({ db, leases, deliverer, logger, intervalMs: webHooks.SweepIntervalMs });

  const { mailer, alerts } = mailAlerts(settings, { db, logger, metrics });
  const retention = createRetention({ db, logger, keptSeconds: keptSeconds(webHooks) });
  const minuteDays = webHooks.MinuteStatisticsDays;
  const rollUp = createRollUp({ db, logger, minuteDays });
  const erasures = createErasureWorker({ db, logger, metrics, brokerUrl: settings.Broker.Url });
  const jobs = createJobWorker({
    db,
    logger,
    metrics,
    kinds: { [recoveryKind]: recoveryStep(recoveredAtOnce) },
    revocations,
    keptSeconds: keptSeconds(webHooks),
    onStep: () => sweeper.wake(),
  });
  const feed = createLiveFeed({ db, logger, metrics });
  const intake = createLiveIntake({ db, logger, signal });
  const authenticator = createAuthenticator(settings.Auth, { onWarning, revocations });
  const idempotency = createIdempotencyStore({
    db,
    box, // a rotation's answer holds a secret
    onCommit: () => [sweeper, jobs].forEach((each) => each.wake()),
    onError: (error) => logger.warn({ error }, 'failed to delete expired idempotency keys'),
  });
  const audit = createAuditTrail({ db, logger, metrics, keptDays: settings.Audit.RetentionDays });

  const healthLog = createHealthLog({ db, health, logger });

  const filtered = createFilteredCounts({ db, logger, metrics });
  const sendHere = !outbox.DeliverToJobQueue;
  const consume = eventConsumer({
    fanOut: createFanOut({ db, leases, deliverer, sweepAfterSeconds: sendHere ? 0 : jobGraceSeconds }),
    settings: createSettings(db, createSettingsOwner(submissions), box),
    askTexts: createAskTexts(submissions),
    filtered,
    async erase(erasure) {
      await db.query(addErasure(erasure));
      erasures.wake();
    },
    logger,
    tracing,
    async announce(jobs) {
      if (sendHere) return sweeper.expectBacklog();
      await publishJobs(broker, jobs).catch((error: unknown) =>
        logger.warn({ error }, 'failed to publish jobs; the sweep sends the new deliveries'),
      );
    },
  });

  health.register(databaseCheck(db));
  health.register(brokerCheck(broker));
  health.register(outboxCheck(dispatcher));
  observePool(metrics, db);
  observeBroker(
    metrics,
    broker,
    serviceTopology.queues.map(({ name }) => name),
  );
  if (webHooks.AllowedNetworks.length > 0) {
    logger.warn(
      { allowedNetworks: webHooks.AllowedNetworks },
      'webhooks may reach these private networks (Service:WebHooks:AllowedNetworks)',
    );
  }

  const consumers: Consumer[] = [];
  const working = [sweeper, jobs, erasures, retention, rollUp, feed, alerts];
  const alsoWhileStopping = [idempotency, reencryption, audit, healthLog];
  let takingStopped: Promise<unknown> | undefined;
  /** Claims nothing more; resolves when nothing is in flight. */
  const stopTaking = () =>
    (takingStopped ??= Promise.all([
      deliverer.stop(settings.Hosting.ShutdownSeconds * 1000 * stopShare),
      ...[...consumers, ...working].map((each) => each.stop()),
    ]));
  signal.addEventListener('abort', () => void stopTaking(), { once: true });

  return {
    endpoints: [
      ...logRoutes({ db, onResent: () => sweeper.wake() }),
      ...endpointRoutes({
        db,
        box,
        idempotency,
        secretOverlapHours: webHooks.SecretOverlapHours,
        onEnabled: () => sweeper.wake(),
      }),
      ...alertRoutes({ db, box, policy, resolver, mailer, onTest: () => sweeper.wake() }),
      ...trialRoutes({ db, sender, policy, resolver, signal }),
      ...recoveryRoutes({ db, idempotency }),
      ...liveRoutes({ feed, authenticator }),
      ...statisticsRoutes({ db, minuteDays }),
      ...healthLogRoutes(db, {
        service: serviceName,
        path: '/api/operations/health/webhooks',
        name: 'WebhookRelay',
      }),
      ...jobRoutes({
        db,
        path: '/api/webhooks/jobs',
        name: 'Webhook',
        kinds: kindsOf('webhooks'),
        view: 'WebHooks.View',
        manage: 'WebHooks.Manage',
      }),
    ],
    internalEndpoints: [
      ...auditInternalRoutes(db),
      ...searchInternalRoutes(db, searchSources),
      ...jobInternalRoutes(db, () => jobs.wake()),
    ],
    serviceTokens: tokens,
    authenticator,
    mapError: problemFromPostgres({}),
    async start() {
      const revocationsRead = revocations.start();
      await prepareSchema(settings.Database, migrations, { signal, logger, byIndexOnly: true });
      await revocationsRead;
      if (signal.aborted) return;
      dispatcher.start();
      consumers.push(takeEvents(broker, intake.alsoFrom(consume)));
      consumers.push(intake.consume(broker));
      consumers.push(
        broker.consume(
          queues.webhookDeliveries,
          { prefetch: jobPrefetch },
          jobHandler(leases, deliverer, sweeper.expectBacklog),
        ),
      );
      for (const each of [...working, ...alsoWhileStopping, filtered]) each.start();
    },
    async stop() {
      await Promise.all([revocations, ...alsoWhileStopping].map((each) => each.stop()));
      await stopTaking();
      await filtered.stop();
      await dispatcher.stop();
      sender.close();
      await broker.close();
      await db.close();
    },
  };
}

/** The job of alerts, and what sends their mails. */
function mailAlerts(
  { Mail: mail, WebHooks: webHooks }: RelaySettings,
  { metrics, ...deps }: Pick<ServiceContext, 'logger' | 'metrics'> & { db: Database },
) {
  const mailer = createMailer(mail);
  const alerts = createAlertWorker({
    ...deps,
    mailer,
    from: mail.From,
    consoleUrl: mail.ConsoleUrl ?? null,
    disableAfterSeconds: webHooks.DisableAfterDays * 24 * 3_600,
    count: createMailCount(metrics),
  });
  return { mailer, alerts };
}

/**
 * A delivery that dies at the end of the schedule, each wait a fifth longer, stays in the log for the whole
 * retention.
 */
const keptSeconds = ({ RetentionDays: days, RetryScheduleSeconds: waits }: RelaySettings['WebHooks']) =>
  days * 24 * 3_600 + waits.reduce((sum, wait) => sum + wait, 0) * 1.2;

const healthSettings = ({ Breaker: breaker, DisableAfterDays: days }: RelaySettings['WebHooks']) => ({
  breaker: {
    failures: breaker.Failures,
    pauseSeconds: breaker.PauseSeconds,
    maxPauseSeconds: breaker.MaxPauseSeconds,
  },
  disableAfterSeconds: days * 24 * 3_600,
});

import { auditInternalRoutes, createAuditTrail } from '@canvass/audit';
import {
  createAuthenticator,
  createFormAccessVerifier,
  createRevocations,
  createServiceTokens,
  internalSecrets,
} from '@canvass/auth';
import { queues, serviceTopology } from '@canvass/contracts';
import { createHealthLog, healthLogRoutes } from '@canvass/health-log';
import { brokerCheck, createBroker, observeBroker, type Consumer } from '@canvass/messaging';
import { createDispatcher, outboxCheck } from '@canvass/outbox';
import {
  createDatabase,
  createIdempotencyStore,
  databaseCheck,
  prepareSchema,
  observePool,
  problemFromPostgres,
  type Database,
} from '@canvass/postgres';
import { createQuotas, quotaRoutes } from '@canvass/quotas';
import { searchInternalRoutes } from '@canvass/search';
import { publicationSpans, type ServiceContext, type ServiceParts } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { accessRoutes, countFormsUsing, createFormAuthorization, formEventHandler } from './access';
import { catalogRoutes, findList, type ListRow } from './catalog';
import type { Config } from './config';
import { searchSources } from './find';
import {
  createCleaner,
  createCollations,
  currentItems,
  discardAllItems,
  itemsRoutes,
  localeRoutes,
  versionRoutes,
  listLabelsRoute,
  readItems,
} from './items';
import { countUses, quotaRules } from './quotas';
import { createItemSearch } from './search';
import { removeExpiredImports, transferRoutes } from './transfer';

/** Assembles the service, for `main.ts` and for tests. */
export function createApp(config: Config['Service'], context: ServiceContext): ServiceParts {
  const { logger, health, signal, metrics, tracing } = context;
  const store = createDatabase(config.Database, {
    applicationName: context.name,
    onError: (error) => logger.warn({ error }, 'database connection error'),
  });
  const broker = createBroker(config.Broker, { name: context.name, topology: serviceTopology, logger });
  const dispatcher = createDispatcher({
    db: store,
    broker,
    logger,
    metrics,
    keepHours: config.Outbox.KeepHours,
    ...publicationSpans(tracing),
  });
  const db = wakingDatabase(store, () => dispatcher.wake());
  const onWarning = (message: string, details: Record<string, unknown>) => logger.warn(details, message);
  const serviceTokens = createServiceTokens(internalSecrets(config.Internal));
  const revocations = createRevocations(config.Auth.Own, {
    serviceToken: () => serviceTokens.sign(context.name),
    onWarning,
  });
  const { JwksUri: jwksUri } = config.FormAccess;
  const formAccess = createFormAccessVerifier({ jwksUri, revocations, onWarning });
  health.register(revocations.check);
  const cleaner = createCleaner(store, logger, removeExpiredImports);
  const idempotency = createIdempotencyStore({
    db, // its responses contain no secrets, so they are not sealed
    onError: (error) => logger.warn({ error }, 'failed to delete expired idempotency keys'),
  });
  const audit = createAuditTrail({ db: store, logger, metrics, keptDays: config.Audit.RetentionDays });
  const healthLog = createHealthLog({ db: store, health, logger });
  /** Started in this order, and stopped side by side. */
  const parts = [cleaner, idempotency, audit, healthLog];
  let consumer: Consumer | null = null;

  health.register(databaseCheck(store));
  health.register(brokerCheck(broker));
  health.register(outboxCheck(dispatcher));
  observePool(metrics, store);
  observeBroker(metrics, broker);

  const quotas = createQuotas(quotaRules, config.Quotas, countUses, metrics);
  const itemsOf = (row: ListRow) => readItems(db, currentItems(row), row.items_count);
  const limits = {
    items: config.Limits.MaxItems,
    value: config.Limits.MaxValueLength,
    label: config.Limits.MaxLabelLength,
    jsonBytes: config.Limits.MaxJsonImportBytes,
    streamBytes: config.Limits.MaxStreamedImportBytes,
    imports: config.Limits.ConcurrentImports,
    keptVersions: config.Limits.KeptVersions,
  };
  const search = createItemSearch({ db, memoryBytes: config.Search.MemoryMb * 1024 * 1024 });
  return {
    endpoints: [
      ...catalogRoutes({
        db,
        idempotency,
        quotas,
        formsUsing: countFormsUsing,
        discardAllItems,
        itemsOf,
      }),
      ...itemsRoutes({
        db,
        collations: createCollations(db),
        search,
        openList: createFormAuthorization(db, formAccess),
        checkToken: (authorization) => formAccess.verify(authorization),
      }),
      ...localeRoutes(db, limits.keptVersions),
      ...versionRoutes(db, quotas, limits.keptVersions),
      ...quotaRoutes(db, quotas, {
        path: '/api/tenant/quotas/data-lists',
        operationId: 'getQuotasOfDataLists',
        summary: 'The quotas of the tenant for data lists and their items',
      }),
      ...accessRoutes({ db, assertList: (tenantId, id) => findList(db, tenantId, id) }),
      ...healthLogRoutes(store, {
        service: context.name,
        path: '/api/operations/health/data-lists',
        name: 'DataLists',
      }),
      ...transferRoutes({
        db,
        quotas,
        limits,
        stagedHours: config.Limits.StagedImportHours,
        itemsOf,
        wakeCleaner: () => cleaner.wake(),
        onWarning: (error, message) => logger.warn({ error }, message),
      }),
    ],
    internalEndpoints: [
      ...auditInternalRoutes(store),
      ...searchInternalRoutes(db, searchSources),
      listLabelsRoute(db),
    ],
    authenticator: createAuthenticator(config.Auth, { onWarning, revocations }),
    serviceTokens,
    mapError: problemFromPostgres({}),
    async start() {
      const revocationsRead = revocations.start();
      await prepareSchema(config.Database, migrations, { signal, logger });
      await revocationsRead;
      dispatcher.start();
      for (const part of parts) part.start();
      consumer = broker.consume(queues.dataListForms, { prefetch: 20 }, formEventHandler(db, logger));
    },
    async stop() {
      await consumer?.stop();
      await Promise.all([revocations, ...parts].map((part) => part.stop()));
      await dispatcher.stop();
      await broker.close();
      await store.close();
    },
  };
}

/** Wakes the dispatcher after each commit, so that it does not wait for its next poll. */
function wakingDatabase(store: Database, wake: () => void): Database {
  return {
    ...store,
    async transaction(fn) {
      const result = await store.transaction(fn);
      wake();
      return result;
    },
  };
}

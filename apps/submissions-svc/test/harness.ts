import { randomBytes } from 'node:crypto';
import type { EventType, SettingsRef } from '@canvass/contracts';
import { createServiceTokens, type ExternalProvider, type Role } from '@canvass/auth';
import { createDatabase, migrate, partitionByTenant, type Database } from '@canvass/postgres';
import { silentLogger, startService, type RunningService } from '@canvass/service-kit';
import { testDatabase, testIssuer, type TestIssuer } from '@canvass/testing';
import type { Resolver } from '@canvass/webhook-addresses';
import { migrations, tablesByTenant } from '../migrations';
import { configSchema, type SubmissionsConfig } from '../src/config';
import { service as submissionsService } from '../src/service';

/** Nothing listens there: the outbox keeps what was appended, so that a spec can read it. */
const noBroker = 'amqp://127.0.0.1:1';
export const internalSecret = 'a secret that only the specs of this service know';

export interface HarnessOptions {
  /** The schema is not there and the service does not make it; then nothing waits for it to be ready. */
  withoutSchema?: boolean;
  /** The database is not there either. */
  withoutDatabase?: boolean;
  poolMax?: number;
  /** Number of partitions of the large tables; by default they are whole. */
  partitions?: number;
  /** Answers the URL that the service uses in the place of its database's. */
  databaseThrough?(url: string): Promise<string>;
  /** URL of another test service's database, to be used by this one too. */
  databaseOf?: string;
  encryptionKeys?: string[];
  brokerUrl?: string;
  /** False: the feed of revoked tokens returns 503. */
  revocationsAvailable?: boolean;
  exports?: Partial<SubmissionsConfig['Exports']>;
  submitter?: Partial<SubmissionsConfig['Submitter']>;
  submissions?: Partial<SubmissionsConfig['Submissions']>;
  quotas?: Partial<SubmissionsConfig['Quotas']>;
  publicForms?: Record<string, unknown>;
  allowedNetworks?: string[];
  answerCheck?: Partial<SubmissionsConfig['AnswerCheck']>;
  /** Internal base URL of datalists-svc. */
  dataLists?: string;
  /** Identity providers beside the two that are always there. */
  providers?: ExternalProvider[];
  /** The resolver of webhook hosts; by default no name resolves. */
  resolver?: Resolver;
}

export const newEncryptionKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** The event of an outbox row. */
interface OutboxEvent {
  type: EventType;
  entityId: string;
  revision: string;
  settings: SettingsRef | null;
  data: Record<string, unknown>;
}

export interface Harness {
  databaseUrl: string;
  /** The configuration of the service, for further processes with the same database. */
  config: SubmissionsConfig;
  service: RunningService;
  db: Database;
  own: TestIssuer;
  external: TestIssuer;
  /** Events in order, of one entity or of a whole tenant. */
  events(filter: { tenantId: string } | { entityId: string }): Promise<OutboxEvent[]>;
  internalToken(): string;
  close(): Promise<void>;
}

/**
 * The service as main.ts puts it together, on free ports, with a database of its own and two identity
 * providers.
 */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { partitions = 0 } = options;
  const database = options.databaseOf
    ? { url: options.databaseOf, drop: () => Promise.resolve() }
    : await testDatabase({
        migrations: options.withoutSchema ? [] : migrations,
        template: String(partitions),
        schema: 'submissions',
        prepare: async (url) => void (options.withoutSchema || (await prepare(url, partitions))),
      });
  const url = new URL(database.url);
  if (options.withoutDatabase) url.pathname = '/not_there_yet';
  const seenByService = (await options.databaseThrough?.(url.href)) ?? url.href;
  const own = await testIssuer();
  own.setFeedAvailable(options.revocationsAvailable ?? true);
  const external = await testIssuer({ shape: 'keycloak' });
  const { Service: config } = (await configSchema.validateAsync({
    Service: {
      Hosting: { Host: '127.0.0.1', Port: 0, InternalPort: 0, DrainSeconds: 0 },
      Database: {
        Url: seenByService,
        MigrateOnStart: !options.withoutSchema,
        PoolMax: options.poolMax ?? 10,
      },
      Broker: { Url: options.brokerUrl ?? noBroker },
      Auth: {
        Own: {
          Issuer: own.issuer,
          Audience: own.audience,
          JwksUri: own.jwksUri,
          RevocationsUri: own.revocationsUri,
        },
        Providers: [
          {
            Name: 'Keycloak',
            Issuer: external.issuer,
            Audience: external.audience,
            JwksUri: external.jwksUri,
            TenantClaim: 'tenant',
            RoleClaim: 'realm_access.roles',
            RoleMap: { administrators: 'Admin' },
          },
          ...(options.providers ?? []),
        ],
      },
      Internal: { Secret: internalSecret },
      Encryption: { Keys: options.encryptionKeys ?? [newEncryptionKey('k1')] },
      AnswerCheck: options.answerCheck ?? {},
      DataLists: options.dataLists === undefined ? {} : { BaseUrl: options.dataLists },
      Submitter: options.submitter ?? {},
      // Machines are busy: a wait for a lock is no fault unless the spec says so.
      Submissions: { LockTimeoutMs: 60_000, ...options.submissions },
      Quotas: options.quotas ?? {},
      Exports: options.exports ?? {},
      PublicForms: options.publicForms ?? {},
      WebHooks: { AllowedNetworks: options.allowedNetworks ?? [] },
    },
  })) as { Service: SubmissionsConfig };
  const resolver = options.resolver ?? (() => Promise.reject(new Error('no such host')));
  const service = await startService({
    service: submissionsService,
    config,
    outside: { resolver },
    logger: silentLogger,
  });
  if (!options.withoutSchema && !options.withoutDatabase) await service.ready;
  const db = createDatabase({ Url: database.url, PoolMax: 2 });
  return {
    databaseUrl: database.url,
    config,
    service,
    db,
    own,
    external,
    internalToken: () => createServiceTokens(internalSecret).sign('webhook-relay-svc'),
    events: (filter) =>
      db.query<OutboxEvent>(
        `select event_type as type, entity_id as "entityId", revision, settings, data from outbox
         where ${'tenantId' in filter ? 'tenant_id' : 'entity_id'} = $1 order by id`,
        ['tenantId' in filter ? filter.tenantId : filter.entityId],
      ),
    async close() {
      await service.stop('the spec ended');
      await db.close();
      await Promise.all([own.close(), external.close(), database.drop()]);
    },
  };
}

async function prepare(url: string, partitions: number): Promise<void> {
  await migrate(url, migrations);
  if (partitions > 0) await partitionByTenant(url, tablesByTenant, partitions);
}

/** An unused tenant id: 18 random digits. */
export const newTenant = (): string => String(10n ** 17n + (randomBytes(8).readBigUInt64BE() % 10n ** 17n));

export interface Reply<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

export interface TestClient {
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  get<T = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
  post<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  put<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  patch<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  delete(path: string, headers?: Record<string, string>): Promise<Reply>;
}

/** Speaks HTTP like any client would. `body` is sent as JSON, a string unchanged. */
export function client(url: string, bearer?: string): TestClient {
  const call: TestClient['call'] = async <T>(method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: (text === '' ? null : JSON.parse(text)) as T,
      headers: answer.headers,
    };
  };
  return {
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
  };
}

export interface Tenant {
  id: string;
  admin: TestClient;
  as(role: Role | Role[], claims?: Record<string, unknown>): TestClient;
  /** An own user without any role, as a respondent. */
  user(claims?: Record<string, unknown>): TestClient;
  external(claims?: Record<string, unknown>): TestClient;
  /** A form; by default enabled, public and without a gate. */
  form(members?: Record<string, unknown>): Promise<string>;
}

/** A tenant of its own for one test. */
export function tenantOf({ service: { url }, own, external }: Harness, id = newTenant()): Tenant {
  const as: Tenant['as'] = (role, claims = {}) =>
    client(url, own.token({ tid: id, roles: [role].flat(), ...claims }));
  const admin = as('Admin', { sub: '11' });
  return {
    id,
    admin,
    as,
    user: (claims = {}) => client(url, own.token({ tid: id, sub: '21', ...claims })),
    external: (claims = {}) => client(url, external.token({ tenant: id, ...claims })),
    async form(members = {}) {
      const { status, body } = await admin.post<{ id: string }>('/api/forms', {
        name: 'A form',
        isEnabled: true,
        ...members,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
  };
}

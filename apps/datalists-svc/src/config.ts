import {
  authSettingsSchema,
  internalSettingsSchema,
  type AuthSettings,
  type InternalSettings,
} from '@canvass/auth';
import { auditSettingsSchema, type AuditSettings } from '@canvass/audit';
import { brokerSettingsSchema, type BrokerSettings } from '@canvass/messaging';
import { outboxSettingsSchema, type OutboxSettings } from '@canvass/outbox';
import { databaseSettingsSchema, type DatabaseSettings } from '@canvass/postgres';
import { quotaSettingsSchema, type QuotaSettings } from '@canvass/quotas';
import {
  healthSettingsSchema,
  hostingSettings,
  loggingSettingsSchema,
  tracingSettingsSchema,
  type HealthSettings,
  type HostingSettings,
  type LoggingSettings,
  type TracingSettings,
} from '@canvass/service-kit';
import Joi from 'joi';
import { quotaRules } from './quotas';

/** `Service:Limits`. */
interface LimitSettings {
  MaxItems: number;
  MaxValueLength: number;
  MaxLabelLength: number;
  MaxJsonImportBytes: number;
  MaxStreamedImportBytes: number;
  ConcurrentImports: number;
  KeptVersions: number;
  StagedImportHours: number;
}

export interface Config {
  Service: {
    Hosting: HostingSettings;
    Health: HealthSettings;
    Logging: LoggingSettings;
    Tracing: TracingSettings;
    Database: DatabaseSettings;
    Broker: BrokerSettings;
    Auth: AuthSettings;
    Internal: InternalSettings;
    Audit: AuditSettings;
    Outbox: OutboxSettings;
    FormAccess: { JwksUri: string };
    Limits: LimitSettings;
    Quotas: QuotaSettings<typeof quotaRules>;
    Search: { MemoryMb: number };
  };
}

const count = (fallback: number, max: number, what: string) =>
  Joi.number().integer().min(1).max(max).default(fallback).description(what);

const mebibyte = 1024 * 1024;

const limitsSchema = Joi.object<LimitSettings, true>({
  MaxItems: count(1_000_000, 10_000_000, 'Maximum number of items in a list.'),
  // 600 code points of four bytes fit into an entry of a Postgres index.
  MaxValueLength: count(500, 600, 'Maximum length of a value in characters.'),
  MaxLabelLength: count(500, 10_000, 'Maximum length of a label in characters.'),
  MaxJsonImportBytes: count(
    64 * mebibyte,
    256 * mebibyte,
    'Maximum size of a JSON import in bytes. It is read into memory.',
  ),
  MaxStreamedImportBytes: count(
    1024 * mebibyte,
    16_384 * mebibyte,
    'Maximum size of a streamed CSV or NDJSON import in bytes.',
  ),
  ConcurrentImports: count(4, 100, 'Concurrent imports per process. A tenant has at most half of them.'),
  KeptVersions: count(5, 100, 'Number of versions of a list that are kept, including the current one.'),
  StagedImportHours: count(24, 720, 'Hours for which a staged import is kept.'),
}).default();

export const configSchema = Joi.object<Config, true>({
  Service: Joi.object({
    Hosting: hostingSettings(8082, 9082),
    Health: healthSettingsSchema,
    Logging: loggingSettingsSchema,
    Tracing: tracingSettingsSchema,
    Database: databaseSettingsSchema.required(),
    Broker: brokerSettingsSchema.required(),
    Auth: authSettingsSchema.required(),
    Internal: internalSettingsSchema.required(),
    Audit: auditSettingsSchema,
    Outbox: outboxSettingsSchema,
    FormAccess: Joi.object({
      JwksUri: Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .required()
        .description('Address at which submissions-svc publishes the keys of its form-access tokens.'),
    }).required(),
    Limits: limitsSchema,
    Quotas: quotaSettingsSchema(quotaRules),
    Search: Joi.object({
      MemoryMb: count(
        256,
        65_536,
        'Maximum memory of the search in megabytes. A million items take about 90, and 52 for each further language.',
      ),
    }).default(),
  }).required(),
});

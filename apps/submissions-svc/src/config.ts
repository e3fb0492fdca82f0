import { auditSettingsSchema, type AuditSettings } from '@canvass/audit';
import {
  authSettingsSchema,
  encryptionSettingsSchema,
  internalSettingsSchema,
  type AuthSettings,
  type EncryptionSettings,
  type InternalSettings,
} from '@canvass/auth';
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
import { targetKeys, type TargetSettings } from '@canvass/webhook-addresses';
import Joi from 'joi';
import { publicFormSettingsSchema, type PublicFormSettings } from './challenges';
import { exportSettingsSchema, type ExportSettings } from './exports';
import { dataListSettingsSchema, type DataListSettings } from './list-labels';
import { quotaRules } from './quotas';
import { retentionSettingsSchema, type RetentionSettings } from './retention';
import { answerCheckSettingsSchema, type AnswerCheckSettings } from './answer-check';
import { submissionSettingsSchema, type SubmissionSettings } from './submissions';
import { submitterSettingsSchema, type SubmitterConfig } from './submitters';

/** `Service` in the configuration of submissions-svc. */
export interface SubmissionsConfig {
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
  Encryption: EncryptionSettings;
  AnswerCheck: AnswerCheckSettings;
  DataLists: DataListSettings;
  Submitter: SubmitterConfig;
  Submissions: SubmissionSettings;
  Retention: RetentionSettings;
  Exports: ExportSettings;
  PublicForms: PublicFormSettings;
  Quotas: QuotaSettings<typeof quotaRules>;
  WebHooks: TargetSettings;
}

/** The configuration: types, checks, defaults and their documentation. */
export const configSchema = Joi.object<{ Service: SubmissionsConfig }>({
  Service: Joi.object<SubmissionsConfig>({
    Hosting: hostingSettings(8081, 9081),
    Health: healthSettingsSchema,
    Logging: loggingSettingsSchema,
    Tracing: tracingSettingsSchema,
    Database: databaseSettingsSchema.required(),
    Broker: brokerSettingsSchema.required(),
    Auth: authSettingsSchema.required(),
    Internal: internalSettingsSchema.required(),
    Audit: auditSettingsSchema,
    Outbox: outboxSettingsSchema,
    Encryption: encryptionSettingsSchema.required(),
    AnswerCheck: answerCheckSettingsSchema,
    DataLists: dataListSettingsSchema,
    Submitter: submitterSettingsSchema,
    Submissions: submissionSettingsSchema,
    Retention: retentionSettingsSchema,
    Exports: exportSettingsSchema,
    PublicForms: publicFormSettingsSchema,
    Quotas: quotaSettingsSchema(quotaRules),
    WebHooks: Joi.object<TargetSettings>(targetKeys).default(),
  }).required(),
});

import {
  authSettingsSchema,
  encryptionSettingsSchema,
  internalSettingsSchema,
  type AuthSettings,
  type EncryptionSettings,
  type InternalSettings,
} from '@canvass/auth';
import { brokerSettingsSchema, type BrokerSettings } from '@canvass/messaging';
import { databaseSettingsSchema, type DatabaseSettings } from '@canvass/postgres';
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
import { allowedNetworksSchema } from '@canvass/webhook-addresses';
import Joi from 'joi';
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
  Encryption: EncryptionSettings;
  Submitter: SubmitterConfig;
  Submissions: SubmissionSettings;
  WebHooks: { AllowedNetworks: string[] };
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
    Encryption: encryptionSettingsSchema.required(),
    Submitter: submitterSettingsSchema,
    Submissions: submissionSettingsSchema,
    WebHooks: Joi.object({ AllowedNetworks: allowedNetworksSchema }).default(),
  }).required(),
});

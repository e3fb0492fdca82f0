import {
  authSettingsSchema,
  encryptionSettingsSchema,
  internalSettingsSchema,
  type AuthSettings,
  type EncryptionSettings,
  type InternalSettings,
} from '@canvass/auth';
import { auditSettingsSchema, type AuditSettings } from '@canvass/audit';
import { mailSettingsSchema, type MailSettings } from '@canvass/mail';
import { brokerSettingsSchema, type BrokerSettings } from '@canvass/messaging';
import { outboxKeys, type OutboxSettings } from '@canvass/outbox';
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
import { proxyKeys, targetKeys, type ProxyRules, type TargetSettings } from '@canvass/webhook-addresses';
import Joi from 'joi';

/** `Service:WebHooks`: how deliveries are sent. */
interface WebHooksSettings extends TargetSettings {
  RetryScheduleSeconds: number[];
  TimeoutSeconds: number;
  LeaseSeconds: number;
  MaxInFlight: number;
  SweepIntervalMs: number;
  SecretOverlapHours: number;
  Breaker: { Failures: number; PauseSeconds: number; MaxPauseSeconds: number };
  DisableAfterDays: number;
  RetentionDays: number;
  MinuteStatisticsDays: number;
  Proxy: ProxyRules & { Url?: string };
}

export interface RelaySettings {
  Hosting: HostingSettings;
  Health: HealthSettings;
  Logging: LoggingSettings;
  Tracing: TracingSettings;
  Database: DatabaseSettings;
  Broker: BrokerSettings;
  Auth: AuthSettings;
  Internal: InternalSettings;
  Audit: AuditSettings;
  Encryption: EncryptionSettings;
  Mail: MailSettings;
  Settings: { BaseUrl: string; TimeoutMs: number };
  Outbox: OutboxSettings & { DeliverToJobQueue: boolean };
  WebHooks: WebHooksSettings;
}

export interface RelayConfig {
  Service: RelaySettings;
}

/**
 * 5 s, 30 s, 2 min, 10 min, 30 min, then 2, 5, 10, 14, 20 and 24 h: 76 hours in all, so an endpoint that is
 * down over a weekend loses nothing.
 */
const scheduleSeconds = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Between the deadline of an attempt and the end of its lease there must be time to record the result. */
const leaseMarginSeconds = 5;

const leaseOutlastsAttempt = (value: number, helpers: Joi.CustomHelpers) => {
  const { TimeoutSeconds = 15 } = (helpers.state.ancestors as Partial<WebHooksSettings>[])[0] ?? {};
  return value >= TimeoutSeconds + leaseMarginSeconds
    ? value
    : helpers.message({
        custom: `must exceed Service:WebHooks:TimeoutSeconds by at least ${leaseMarginSeconds}`,
      });
};

const webHooksSettingsSchema = Joi.object<WebHooksSettings>({
  ...targetKeys,
  Proxy: Joi.object({
    Url: Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .when('Addresses', { is: 'delegated', then: Joi.required() })
      .meta({ secret: true })
      .description('URL of an HTTP proxy for all webhooks, with user and password if it asks for them.'),
    ...proxyKeys,
  }).default(),
  RetryScheduleSeconds: Joi.array()
    .items(
      Joi.number()
        .positive()
        .max(7 * 24 * 3_600),
    )
    .max(50)
    .default(scheduleSeconds)
    .description(
      'Seconds to wait after the first, second, … failure, ±20 %. After the last retry the delivery is dead.',
    ),
  TimeoutSeconds: Joi.number()
    .positive()
    .max(40)
    .default(15)
    .description('Timeout of an attempt, including DNS, proxy, connect, TLS, headers and body.'),
  LeaseSeconds: Joi.number()
    .max(45)
    .custom(leaseOutlastsAttempt)
    .default(30)
    .description('Lease of a delivery, after which another process sends it.'),
  MaxInFlight: Joi.number()
    .integer()
    .min(1)
    .max(10_000)
    .default(256)
    .description('Maximum number of concurrent attempts per process.'),
  SweepIntervalMs: Joi.number()
    .integer()
    .min(10)
    .max(10_000)
    .default(250)
    .description('Polling interval for due deliveries.'),
  SecretOverlapHours: Joi.number()
    .min(0)
    .max(7 * 24)
    .default(24)
    .description('How long the old signing secret stays valid after a rotation, by default.'),
  Breaker: Joi.object({
    Failures: Joi.number()
      .integer()
      .min(1)
      .max(100)
      .default(5)
      .description(
        'Consecutive failures (429, 5xx, timeouts, no connection) that open the circuit of an endpoint.',
      ),
    PauseSeconds: Joi.number()
      .positive()
      .max(3_600)
      .default(2)
      .description('First pause of an open circuit. Each further failure doubles it.'),
    MaxPauseSeconds: Joi.number().positive().max(3_600).default(30).description('Maximum pause.'),
  }).default(),
  DisableAfterDays: Joi.number()
    .positive()
    .max(365)
    .default(5)
    .description('A failing endpoint without a success for this time is disabled.'),
  RetentionDays: Joi.number()
    .positive()
    .max(3_650)
    .default(30)
    .description('How long deliveries and their attempts are kept after the last possible retry.'),
  MinuteStatisticsDays: Joi.number()
    .integer()
    .min(1)
    .max(30)
    .default(3)
    .description(
      'Days for which statistics of attempts are kept per minute. Hours are kept 30 times, days 365 times as long.',
    ),
}).default();

export const configSchema = Joi.object<RelayConfig>({
  Service: Joi.object<RelaySettings>({
    Hosting: hostingSettings(8083, 9083),
    Health: healthSettingsSchema,
    Logging: loggingSettingsSchema,
    Tracing: tracingSettingsSchema,
    Database: databaseSettingsSchema.required(),
    Broker: brokerSettingsSchema.required(),
    Auth: authSettingsSchema.required(),
    Internal: internalSettingsSchema.required(),
    Audit: auditSettingsSchema,
    Encryption: encryptionSettingsSchema.required(),
    Mail: mailSettingsSchema,
    Settings: Joi.object({
      BaseUrl: Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .required()
        .description('Internal base URL of submissions-svc, which owns the webhook settings.'),
      TimeoutMs: Joi.number()
        .integer()
        .min(100)
        .max(60_000)
        .default(5_000)
        .description('Timeout of a call to submissions-svc.'),
    }).required(),
    Outbox: Joi.object({
      ...outboxKeys,
      DeliverToJobQueue: Joi.boolean()
        .default(false)
        .description(
          'On: one job per delivery in the queue webhook.deliveries. Off: the relay that consumes an event sends its deliveries.',
        ),
    }).default(),
    WebHooks: webHooksSettingsSchema,
  }).required(),
});

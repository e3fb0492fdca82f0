import { auditSettingsSchema, type AuditSettings } from '@canvass/audit';
import {
  authSettingsSchema,
  encryptionSettingsSchema,
  internalSettingsSchema,
  roles,
  type AuthSettings,
  type EncryptionSettings,
  type InternalSettings,
  type Role,
} from '@canvass/auth';
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
import type { AreaSettings } from './audit';
import { linkMailSettingsSchema, type LinkMailSettings } from './link-mail-settings';
import { quotaRules } from './quotas';
import { bootstrapSchema, type BootstrapTenant } from './tenants';

/** `Service:Tokens`: lifetimes of the tokens and keys of this service. */
export interface TokenSettings {
  AccessTokenMinutes: number;
  ServiceTokenMinutes: number;
  RefreshTokenDays: number;
  SessionDays: number;
  RotateKeysEveryHours: number;
  KeyOverlapHours: number;
}

/** `Service:SignIn`: how many failed attempts per window lead to a 429. */
export interface SignInSettings {
  WindowMinutes: number;
  AttemptsPerAccountAndAddress: number;
  AttemptsPerAccount: number;
  AttemptsPerAddress: number;
  TrustForwardedFor: boolean;
  Origins: string[];
  SecondFactorRoles: Role[];
}

export interface IdentitySettings {
  Hosting: HostingSettings;
  Health: HealthSettings;
  Logging: LoggingSettings;
  Tracing: TracingSettings;
  Database: DatabaseSettings;
  Auth: { Own: { Issuer: string; Audience: string }; Providers: AuthSettings['Providers'] };
  Encryption: EncryptionSettings;
  Internal: InternalSettings;
  Audit: AuditSettings & { Areas: AreaSettings };
  Tokens: TokenSettings;
  SignIn: SignInSettings;
  Mail: LinkMailSettings;
  Quotas: QuotaSettings<typeof quotaRules>;
  Bootstrap: BootstrapTenant[];
}

const count = (value: number, description: string) =>
  Joi.number().integer().min(1).max(1_000_000).default(value).description(description);

const tokenSettingsSchema = Joi.object<TokenSettings>({
  AccessTokenMinutes: count(15, 'Lifetime of an access token of a user.').max(1440),
  ServiceTokenMinutes: count(60, 'Lifetime of an access token of a service account.').max(1440),
  RefreshTokenDays: count(30, 'Lifetime of a refresh token. Each use returns a new one.').max(365),
  SessionDays: count(30, 'How long a session lasts after the sign-in, however often it is refreshed.').max(
    365,
  ),
  RotateKeysEveryHours: count(720, 'How long a signing key signs.').max(8760),
  KeyOverlapHours: count(
    24,
    'How long a signing key is published before it signs and after it stopped. Must exceed the lifetime of access tokens.',
  ).max(720),
})
  .custom((value: TokenSettings, helpers) =>
    value.KeyOverlapHours * 60 > Math.max(value.AccessTokenMinutes, value.ServiceTokenMinutes) &&
    value.RotateKeysEveryHours > value.KeyOverlapHours
      ? value
      : helpers.message({
          custom:
            'requires KeyOverlapHours to exceed the lifetime of access tokens and to be shorter than RotateKeysEveryHours',
        }),
  )
  .default();

const signInSettingsSchema = Joi.object<SignInSettings>({
  WindowMinutes: count(15, 'Time over which failed attempts are counted.').max(1440),
  AttemptsPerAccountAndAddress: count(10, 'Failed attempts on one account from one address.'),
  AttemptsPerAccount: count(100, 'Failed attempts on one account from anywhere.'),
  AttemptsPerAddress: count(300, 'Failed attempts from one address on any account.'),
  TrustForwardedFor: Joi.boolean()
    .default(true)
    .description(
      'Read the client address from X-Forwarded-For, which the gateway sets. Turn it off without a gateway.',
    ),
  SecondFactorRoles: Joi.array()
    .items(Joi.string().valid(...roles))
    .unique()
    .default([])
    .description(
      'Roles that require a second factor, such as Admin. Tokens of users without one do not contain them.',
    ),
  Origins: Joi.array()
    .items(
      Joi.string()
        .pattern(/^https?:\/\/[^/]+$/)
        .lowercase(),
    )
    .default([])
    .description(
      'Origins of pages that may use browser sessions, such as https://forms.example.org. By default those of the host of the request.',
    ),
}).default();

const areaUrl = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .description(
    'Internal base URL of the service of this area, for the audit trail, the search and the list of jobs.',
  );

const areasSchema = Joi.object<AreaSettings>({
  Forms: areaUrl,
  DataLists: areaUrl,
  WebHooks: areaUrl,
}).default();

export const configSchema: Joi.ObjectSchema<{ Service: IdentitySettings }> = Joi.object<{
  Service: IdentitySettings;
}>({
  Service: Joi.object<IdentitySettings>({
    Hosting: hostingSettings(8084, 9084),
    Health: healthSettingsSchema,
    Logging: loggingSettingsSchema,
    Tracing: tracingSettingsSchema,
    Database: databaseSettingsSchema.required(),
    // The keys of own tokens are in memory here, and revocations in the database. The addresses are accepted
    // so that all services share one section.
    Auth: authSettingsSchema
      .fork(['Own.JwksUri', 'Own.RevocationsUri'], (schema) => schema.optional())
      .fork('Own', (schema) => schema.default())
      .default(),
    Encryption: encryptionSettingsSchema.required(),
    Internal: internalSettingsSchema.required(),
    Audit: auditSettingsSchema.append<AuditSettings & { Areas: AreaSettings }>({ Areas: areasSchema }),
    Tokens: tokenSettingsSchema,
    SignIn: signInSettingsSchema,
    Mail: linkMailSettingsSchema,
    Quotas: quotaSettingsSchema(quotaRules),
    Bootstrap: bootstrapSchema,
  }).required(),
});

import Joi from 'joi';
import { roles, type Role } from './permissions';
import { ownProvider } from './principal';

/** An external identity provider (OpenID Connect). Tokens of other issuers get a 401. */
export interface ExternalProvider {
  /** `AuthProvider` of the submitters that come from it. */
  Name: string;
  Issuer: string;
  Audience: string;
  /** Address of the keys, by default discovered through the issuer's `/.well-known/openid-configuration`. */
  JwksUri?: string;
  TenantId?: string;
  TenantClaim?: string;
  /** The tenants that `TenantClaim` may name; by default any. */
  Tenants?: string[];
  /** The name of a claim, or a path into nested claims such as Keycloak's `realm_access.roles`. */
  RoleClaim?: string;
  RoleMap?: Record<string, Role[] | Role>;
  /** Roles of every caller from this provider, in addition to those of its claims. */
  DefaultRoles?: Role[];
  /** For providers without access tokens that are JWT: `Audience` is the client then. */
  AcceptIdTokens?: boolean;
}

/** The own provider. */
export interface OwnProvider {
  Issuer: string;
  Audience: string;
  JwksUri: string;
  RevocationsUri: string;
  RevocationGraceSeconds: number;
}

export interface AuthSettings {
  Own?: OwnProvider;
  Providers: ExternalProvider[];
}

const webAddress = () => Joi.string().uri({ scheme: ['http', 'https'] });

/** The keys of a provider are only as safe as the way on which they come. */
const secureAddress = () =>
  webAddress().custom((value: string, { message }) =>
    isSecure(value) ? value : message({ custom: 'must be https, except on a loopback address' }),
  );

/** https, or http to this machine. Of an invalid address another rule says so. */
function isSecure(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

const claimName = () => Joi.string().min(1).max(200);

/** A positive 64-bit integer as a decimal string. */
export function isId(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value) && BigInt(value) <= 9_223_372_036_854_775_807n
  );
}

const tenantId = Joi.string().custom((value: string, { error }) =>
  isId(value) ? value : error('any.invalid'),
);

const ownSchema = Joi.object({
  Issuer: Joi.string().max(500).default('canvass-identity').description('`iss` of the own provider'),
  Audience: Joi.string().max(500).default('canvass-api').description('`aud` of the own access tokens'),
  JwksUri: webAddress().required().description('address of the key set of the own provider'),
  RevocationsUri: webAddress()
    .required()
    .description('internal address of the revoked tokens: identity-svc, /internal/revocations'),
  RevocationGraceSeconds: Joi.number()
    .integer()
    .min(5)
    .max(3600)
    .default(60)
    .description('how long privileged permissions stay usable while the revoked tokens cannot be read'),
});

const providerSchema = Joi.object<ExternalProvider>({
  Name: Joi.string()
    .pattern(/^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/)
    .invalid(ownProvider, 'Integration')
    .required()
    .description('name of the provider in submitters; not Service or Integration'),
  Issuer: secureAddress().required().description('`iss`, compared exactly; https, except on loopback'),
  Audience: Joi.string().max(500).required().description('required `aud`'),
  JwksUri: secureAddress().description(
    'https, except on loopback; by default found by OpenID Connect discovery',
  ),
  TenantId: tenantId.description('tenant of all callers from this issuer'),
  TenantClaim: claimName().description('alternatively, the claim with the tenant id'),
  Tenants: Joi.array()
    .items(tenantId)
    .unique()
    .min(1)
    .description('the tenants that TenantClaim may name; by default any'),
  RoleClaim: claimName().description(
    'name or path of the claim with the roles, for example realm_access.roles',
  ),
  RoleMap: Joi.object()
    .pattern(Joi.string().max(200), [
      Joi.string().valid(...roles),
      Joi.array().items(Joi.string().valid(...roles)),
    ])
    .description(
      'maps an external role to one or several roles; by default external names are used unchanged, but Admin is ignored',
    ),
  DefaultRoles: Joi.array()
    .items(Joi.string().valid(...roles.filter((role) => role !== 'Admin')))
    .unique()
    .description(
      'roles of every caller from this provider, for example Respondent for forms that are not public; not Admin',
    ),
  AcceptIdTokens: Joi.boolean().description(
    'takes ID tokens as well; only for providers whose access tokens are not JWT of their own (Google, GitLab, Dex)',
  ),
})
  .xor('TenantId', 'TenantClaim')
  .with('Tenants', 'TenantClaim');

/** `Service:Auth`: the accepted token issuers. */
export const authSettingsSchema: Joi.ObjectSchema<AuthSettings> = Joi.object<AuthSettings>({
  Own: ownSchema.description('the own provider, identity-svc; omit it if only external providers are used'),
  Providers: Joi.array()
    .items(providerSchema)
    .unique('Name')
    .unique('Issuer')
    .default([])
    .description('external identity providers'),
});

/** `Service:Internal`: calls between the services. */
export interface InternalSettings {
  Secret: string;
  /** Accepted beside it, while a secret is replaced. */
  AcceptedSecrets: string[];
}

const internalSecret = Joi.string().min(32).max(1024).meta({ secret: true });

export const internalSettingsSchema: Joi.ObjectSchema<InternalSettings> = Joi.object<InternalSettings>({
  Secret: internalSecret
    .required()
    .description(
      'signs the tokens of calls between services; the same for all services; at least 32 characters',
    ),
  AcceptedSecrets: Joi.array()
    .items(internalSecret)
    .max(5)
    .default([])
    .meta({ secret: true })
    .description('Secrets that are accepted beside it, while a secret is replaced.'),
});

/** `Service:Encryption`: encryption at rest. */
export interface EncryptionSettings {
  Keys: string[];
}

/** `<key id>:<base64 of 32 bytes>`. */
export const encryptionKeyPattern = /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/;

export const encryptionSettingsSchema: Joi.ObjectSchema<EncryptionSettings> = Joi.object<EncryptionSettings>({
  Keys: Joi.array()
    .items(
      Joi.string()
        .pattern(encryptionKeyPattern)
        .meta({ secret: true })
        // The value is a secret, so the message must not repeat it.
        .messages({ 'string.pattern.base': 'must be <key id>:<base64 of 32 bytes>' }),
    )
    .unique((a: string, b: string) => a.split(':')[0] === b.split(':')[0])
    .min(1)
    .max(10)
    .required()
    .meta({ secret: true })
    .description('AES-256 keys as <key id>:<base64 of 32 bytes>; the first encrypts, all decrypt'),
});

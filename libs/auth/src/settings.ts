import Joi from 'joi';
import { roles, type Role } from './permissions';
import { ownProvider } from './principal';

/** An external identity provider (OpenID Connect). A token of an issuer that is not listed is a 401. */
export interface ExternalProvider {
  /** `AuthProvider` of the submitters that come from it. */
  Name: string;
  Issuer: string;
  Audience: string;
  /** Absent: found through the issuer's `/.well-known/openid-configuration`. */
  JwksUri?: string;
  TenantId?: string;
  TenantClaim?: string;
  /** A claim's name, or a path into nested claims such as Keycloak's `realm_access.roles`. */
  RoleClaim?: string;
  RoleMap?: Record<string, Role[] | Role>;
  /** Roles of every caller from this provider, beside those of its claims. */
  DefaultRoles?: Role[];
}

export interface AuthSettings {
  Own?: { Issuer: string; Audience: string; JwksUri: string };
  Providers: ExternalProvider[];
}

const webAddress = () => Joi.string().uri({ scheme: ['http', 'https'] });
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
  JwksUri: webAddress().required().description('where the own provider publishes its keys'),
});

const providerSchema = Joi.object<ExternalProvider>({
  Name: Joi.string()
    .pattern(/^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/)
    .invalid(ownProvider, 'Integration')
    .required()
    .description('names the provider in submitters; not Service or Integration'),
  Issuer: webAddress().required().description('`iss`, compared to the letter'),
  Audience: Joi.string().max(500).required().description('`aud` that a token must name'),
  JwksUri: webAddress().description('absent: found by OpenID Connect discovery'),
  TenantId: tenantId.description('the tenant of everyone from this issuer'),
  TenantClaim: claimName().description('or: the claim that holds the tenant id'),
  RoleClaim: claimName().description('claim or path of the roles, for example realm_access.roles'),
  RoleMap: Joi.object()
    .pattern(Joi.string().max(200), [
      Joi.string().valid(...roles),
      Joi.array().items(Joi.string().valid(...roles)),
    ])
    .description('the role or roles that an external role stands for; absent: names are taken as they are'),
  DefaultRoles: Joi.array()
    .items(Joi.string().valid(...roles.filter((role) => role !== 'Admin')))
    .unique()
    .description(
      'roles of every caller from this provider, for example Respondent for forms that are not public; not Admin',
    ),
}).xor('TenantId', 'TenantClaim');

/** `Service:Auth`: whose tokens are accepted. */
export const authSettingsSchema: Joi.ObjectSchema<AuthSettings> = Joi.object<AuthSettings>({
  Own: ownSchema.description('the own provider, identity-svc; absent where an external one serves all'),
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
}

export const internalSettingsSchema: Joi.ObjectSchema<InternalSettings> = Joi.object<InternalSettings>({
  Secret: Joi.string()
    .min(32)
    .max(1024)
    .required()
    .meta({ secret: true })
    .description('shared by all services; signs the tokens of calls between them; at least 32 characters'),
});

/** `Service:Encryption`: secrets at rest. */
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
        // The value is a secret, so that the message must not repeat it.
        .messages({ 'string.pattern.base': 'must be <key id>:<base64 of 32 bytes>' }),
    )
    .unique((a: string, b: string) => a.split(':')[0] === b.split(':')[0])
    .min(1)
    .max(10)
    .required()
    .meta({ secret: true })
    .description('AES-256 keys as <key id>:<base64 of 32 bytes>; the first encrypts, all decrypt'),
});

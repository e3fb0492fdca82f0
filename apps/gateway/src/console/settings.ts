import Joi from 'joi';

/** An external identity provider that the sign-in page of the console offers. */
export interface ConsoleProvider {
  /** `Name` of one of `Service:Auth:Providers`, whose `Issuer` is the authority. */
  Name: string;
  ClientId: string;
  Scope: string;
  Origins: string[];
}

/** `Service:Gateway:Console`. */
export interface ConsoleSettings {
  Providers: ConsoleProvider[];
}

/** The settings that other services decide, and the console must know: the same keys as theirs. */
export interface KnownSettings {
  Submitter: { ProfileSnapshotFields: string[] };
  Limits: { MaxJsonImportBytes: number; MaxStreamedImportBytes: number };
}

/** An origin. It becomes a part of a header, so that only the characters of an origin are permitted. */
const origin = Joi.string()
  .pattern(/^https?:\/\/[A-Za-z0-9.[\]:-]+$/)
  .messages({ 'string.pattern.base': 'must be an origin such as "https://login.example.org"' });

const providerSchema = Joi.object<ConsoleProvider>({
  Name: Joi.string().required().description('Name of one of Service:Auth:Providers.'),
  ClientId: Joi.string()
    .max(500)
    .required()
    .description(
      'Public client of the console at the provider, with the redirect address /console/callback.',
    ),
  Scope: Joi.string()
    .max(1000)
    .pattern(/(^| )openid( |$)/)
    .messages({ 'string.pattern.base': 'must contain openid' })
    .default('openid')
    .description('Scopes to ask for. Their access token must have the Audience of the provider.'),
  Origins: Joi.array()
    .items(origin)
    .max(5)
    .default([])
    .description('Origins of its endpoints for tokens, if they differ from that of the Issuer.'),
});

export const consoleSettingsSchema = Joi.object<ConsoleSettings>({
  Providers: Joi.array()
    .items(providerSchema)
    .unique('Name')
    .max(10)
    .default([])
    .description('External providers that the sign-in page of the console offers, in this order.'),
}).default();

const bytes = (fallback: number) => Joi.number().integer().min(1).default(fallback);
const mebibyte = 1024 * 1024;

// A section may be given as a whole: what the gateway does not read is permitted in it.
export const submitterSchema = Joi.object<KnownSettings['Submitter']>({
  ProfileSnapshotFields: Joi.array()
    .items(Joi.string())
    .default([])
    .description('That of submissions-svc, for the web console.'),
})
  .unknown()
  .default();

export const limitsSchema = Joi.object<KnownSettings['Limits']>({
  MaxJsonImportBytes: bytes(64 * mebibyte).description('That of datalists-svc, for the web console.'),
  MaxStreamedImportBytes: bytes(1024 * mebibyte).description('That of datalists-svc, for the web console.'),
})
  .unknown()
  .default();

import type { AuthSettings, ExternalProvider } from '@canvass/auth';
import { exactObject, productVersion } from '@canvass/contracts';
import type { HostingSettings, HttpOperation } from '@canvass/service-kit';
import Joi from 'joi';
import type { ConsoleSettings, KnownSettings } from './settings';

/** The variables of the web console. */
export interface ConsoleVariables {
  submitterGridProfileFields: string[];
  submitterPrimaryFilterLabel: string | null;
}

/** A provider of OpenID Connect with which one may sign in to the console. */
interface SignInProvider {
  name: string;
  authority: string;
  clientId: string;
  scope: string;
  usesIdToken: boolean;
}

/** The answer of `GET /api/console/configuration`. */
export interface ConsoleConfiguration extends ConsoleVariables {
  storedProfileFields: string[];
  hasOwnSignIn: boolean;
  signInProviders: SignInProvider[];
  limits: { importJsonBytes: number; importRowsBytes: number };
  healthDetailPath: string;
  version: string;
}

/** The settings that the configuration of the console is made of. */
export interface ConsoleSources extends KnownSettings {
  Gateway: { Console: ConsoleSettings; Services: { Identity?: string[] } };
  Hosting: Pick<HostingSettings, 'HealthCheckPath'>;
  Auth: Pick<AuthSettings, 'Providers'>;
}

/**
 * The configuration that the console must know.
 *
 * @param maxBytes most bytes of an import that the gateway lets through
 */
export function consoleConfiguration(
  { Gateway: { Console, Services }, Hosting, Auth, Submitter, Limits }: ConsoleSources,
  variables: ConsoleVariables,
  maxBytes: { json: number; rows: number },
): ConsoleConfiguration {
  return {
    ...variables,
    storedProfileFields: Submitter.ProfileSnapshotFields,
    hasOwnSignIn: Services.Identity !== undefined,
    signInProviders: Console.Providers.map(({ Name, ClientId, Scope }) => ({
      name: Name,
      authority: providerNamed(Auth, Name).Issuer,
      clientId: ClientId,
      scope: Scope,
      usesIdToken: providerNamed(Auth, Name).AcceptIdTokens ?? false,
    })),
    limits: {
      importJsonBytes: Math.min(Limits.MaxJsonImportBytes, maxBytes.json),
      importRowsBytes: Math.min(Limits.MaxStreamedImportBytes, maxBytes.rows),
    },
    healthDetailPath: `${Hosting.HealthCheckPath}/detail`,
    version: productVersion,
  };
}

/** The origins of the providers, which the console calls for tokens. */
export function providerOrigins({ Gateway: { Console }, Auth }: ConsoleSources): string[] {
  const origins = Console.Providers.flatMap(({ Name, Origins }) => [
    new URL(providerNamed(Auth, Name).Issuer).origin,
    ...Origins,
  ]);
  return [...new Set(origins)];
}

/** The configuration is refused if there is no such provider. */
const providerNamed = ({ Providers }: ConsoleSources['Auth'], name: string): ExternalProvider =>
  Providers.find(({ Name }) => Name === name)!;

const example: ConsoleConfiguration = {
  submitterGridProfileFields: ['department'],
  submitterPrimaryFilterLabel: 'Customer number',
  storedProfileFields: ['department', 'name'],
  hasOwnSignIn: true,
  signInProviders: [
    {
      name: 'Keycloak',
      authority: 'https://id.example.org/realms/clinic',
      clientId: 'canvass-console',
      scope: 'openid',
      usesIdToken: false,
    },
  ],
  limits: { importJsonBytes: 67_108_864, importRowsBytes: 1_073_741_824 },
  healthDetailPath: '/health/detail',
  version: '1.4.0',
};

const bytes = () => Joi.number().integer().min(1);

/** The configuration that the web console has to know before the sign-in. */
export const consoleConfigurationOperation: HttpOperation = {
  method: 'get',
  kind: 'read',
  access: 'anonymous',
  path: '/api/console/configuration',
  operationId: 'getConsoleConfiguration',
  summary: 'Settings of the web console',
  description: 'What the console must know before the sign-in, as the gateway read it. It is public.',
  answers: {
    200: {
      description: 'The settings.',
      headers: { ETag: 'of the bytes; for If-None-Match', 'Cache-Control': 'always `public, no-cache`' },
      body: exactObject<ConsoleConfiguration>('ConsoleConfiguration', {
        submitterGridProfileFields: Joi.array()
          .items(Joi.string())
          .description('profile fields that are columns of the submissions, in this order'),
        submitterPrimaryFilterLabel: Joi.string()
          .allow(null)
          .description('placeholder of the filter by display id; null: that of the console'),
        storedProfileFields: Joi.array()
          .items(Joi.string())
          .description('profile fields that submissions keep of their respondents'),
        hasOwnSignIn: Joi.boolean().description('whether users sign in with address and password'),
        signInProviders: Joi.array()
          .items(
            exactObject<SignInProvider>('SignInProvider', {
              name: Joi.string().description('what people are shown'),
              authority: Joi.string().description('issuer (OpenID Connect Discovery)'),
              clientId: Joi.string().description('client of the console'),
              scope: Joi.string().description('scopes to ask for'),
              usesIdToken: Joi.boolean().description('whether its ID tokens are sent to the API'),
            }),
          )
          .description('external providers to sign in with, in this order'),
        limits: exactObject<ConsoleConfiguration['limits']>('ConsoleLimits', {
          importJsonBytes: bytes().description('most bytes of a JSON import'),
          importRowsBytes: bytes().description('most bytes of a CSV or NDJSON import'),
        }).description('limits that the console checks before an upload'),
        healthDetailPath: Joi.string().description('path of the JSON report of the health of the gateway'),
        version: Joi.string().description('version of the gateway'),
      })
        .description('Settings of the web console.')
        .example(example),
      example,
    },
  },
  isProcessEndpoint: true,
  problems: ['malformed_request', 'validation_failed', 'headers_too_large'],
};

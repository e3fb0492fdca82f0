export { disableEndpoint, enableEndpoint, lockEndpoint } from './endpoints.sql';
export { endpointRoutes } from './endpoints.routes';
export { noCredentials, secretsOf, type Credentials } from './credentials';
export { credentialsContext, sealedSecretColumns, signingSecretContext } from './secrets';
export { createSettings, type Settings, type SettingsState } from './settings';
export { createSettingsOwner, type SettingsOwnerOptions } from './settings-owner';
export type { SpecialTarget } from './settings.sql';
export { endpointStates, type EndpointState } from './endpoints.sql';

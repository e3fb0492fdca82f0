export { maskSettings } from './api-keys';
export { checkAddresses, type AddressRule } from './check-addresses';
export { sealedSettingsColumns } from './reencrypt-settings';
export { maskedSettingsExample, maskedSettingsText } from './settings-answers';
export { parseSettings } from './parse-settings';
export { announceVersion, saveVersion, type StoredSettings } from './save-version';
export type { WebhookSettingsDeps } from './tenant-settings';
export { webhookSettingsInternalRoutes, webhookSettingsRoutes } from './webhook-settings.routes';
export { settingsInForce } from './webhook-settings.sql';

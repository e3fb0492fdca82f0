export { assertEndpointQuota } from './endpoint-quota';
export { maskSettings } from './api-keys';
export { checkAddresses, type AddressRule } from './check-addresses';
export { sealedSettingsColumns } from './reencrypt-settings';
export { maskedSettings, maskedSettingsExample, maskedSettingsText } from './settings-answers';
export {
  assertSettingsLength,
  maskedSettingsSchema,
  parseSettings,
  settingsContent,
  settingsSchema,
} from './parse-settings';
export { announceVersion, saveVersion, type StoredSettings } from './save-version';
export type { WebhookSettingsDeps } from './tenant-settings';
export { webhookSettingsInternalRoutes, webhookSettingsRoutes } from './webhook-settings.routes';
export { settingsInForce } from './webhook-settings.sql';

export { assertEndpointQuota } from './endpoint-quota';
export { maskSettings } from './secrets';
export { checkSettings, type SettingsRules } from './check-settings';
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
export { sends, settingsInForce } from './webhook-settings.sql';

export { createRetention } from './retention';
export { retentionSettingsSchema, type RetentionSettings } from './retention-settings';

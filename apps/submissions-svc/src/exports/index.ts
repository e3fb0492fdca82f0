export { createExportExpiry } from './expiry';
export { exportSettingsSchema, type ExportSettings } from './export-settings';
export { exportStep } from './export-step';
export { exportRoutes } from './exports.routes';

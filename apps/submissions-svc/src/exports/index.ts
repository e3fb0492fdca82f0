export { createExportExpiry } from './expiry';
export { exportSettingsSchema, type ExportSettings } from './export-settings';
export { countBytes, insertPart, readPart } from './exports.sql';
export { exportStep } from './export-step';
export { exportRoutes } from './exports.routes';

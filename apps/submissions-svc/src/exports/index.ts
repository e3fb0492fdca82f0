export { createExportExpiry } from './expiry';
export { exportSettingsSchema, type ExportSettings } from './export-settings';
export { partsOf } from './exports';
export { countBytes, insertPart } from './exports.sql';
export { exportStep } from './export-step';
export { exportRoutes } from './exports.routes';

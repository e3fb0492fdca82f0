export { challengeRoutes } from './form-challenges.routes';
export { formSettingsRoutes } from './form-settings.routes';
export { formVersionRoutes } from './form-versions.routes';
export { formRoutes } from './forms.routes';
export { dataListIdsSchema, newFormSchema } from './form-body';
export { retentionInForce } from './forms.sql';
export { readForm } from './read-form';
export { readRuntimeForm } from './runtime-form';

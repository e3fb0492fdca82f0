export { createDeletedAccounts } from './deleted-accounts';
export { createErasedTexts } from './erased-texts';
export { erasureKind, erasureStep } from './erase-submitter';
export type { ResolvedSubmitter, SubmitterExtractor, SubmitterSettings } from './extractor';
export { loadResolver } from './load-extensions';
export { maxDisplayIdLength, maxProviderLength, maxSubjectLength } from './profile';
export { createSubmitters, type OnBehalfSubmitter, type Submitters } from './resolve-submitter';
export { submitterSettingsSchema, type SubmitterConfig } from './submitter-settings';
export { submitterRoutes } from './submitters.routes';

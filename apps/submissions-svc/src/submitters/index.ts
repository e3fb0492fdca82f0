export { createDeletedAccounts } from './deleted-accounts';
export { createErasedTexts } from './erased-texts';
export { erasureKind, erasureStep } from './erase-submitter';
export type { ResolvedSubmitter, SubmitterExtractor, SubmitterSettings } from './extractor';
export { loadResolver } from './load-extensions';
export { longestDisplayId, longestProvider, longestSubject } from './profile';
export { createSubmitters, type OnBehalfSubmitter, type Submitters } from './resolve-submitter';
export { submitterSettingsSchema, type SubmitterConfig } from './submitter-settings';
export { submitterRoutes } from './submitters.routes';

export { gateConstraint } from './create.sql';
export { onBehalfRoutes } from './on-behalf.routes';
export { countDuplicates, countDuplicatesSince } from './read.sql';
export { respondentRoutes } from './respondents.routes';
export { submissionBodies, type SubmitterField } from './submission-body';
export { submissionSettingsSchema, type SubmissionSettings } from './submission-settings';
export { submissionRoutes } from './submissions.routes';

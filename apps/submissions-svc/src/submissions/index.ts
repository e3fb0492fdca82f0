export { gateConstraint } from './create.sql';
export { onBehalfRoutes } from './on-behalf.routes';
export { countDuplicates } from './read.sql';
export { respondentRoutes } from './respondents.routes';
export type { SubmitterField } from './submission-body';
export { submissionRoutes } from './submissions.routes';

export { codebookRoutes } from './codebook.routes';
export { createSubmission } from './create-submission';
export { gateConstraint } from './create.sql';
export { csvCell } from './csv-cell';
export { exportFormat, exportTypes, type ExportOptions, type ExportRow } from './export-format';
export {
  checkExport,
  exportBody,
  filterBody,
  filterOf,
  filterQuery,
  type ExportBody,
  type FilterMembers,
  type FilterQuery,
} from './filter-query';
export { localesOf } from './export-submissions';
export { commentRoutes } from './comments.routes';
export { linkRoutes } from './links.routes';
export { nextMatches } from './next-matches';
export { onBehalfRoutes } from './on-behalf.routes';
export {
  countDuplicates,
  countDuplicatesSince,
  countExpiring,
  getFormDefinition,
  getFormName,
} from './read.sql';
export { holderRoutes } from './holder.routes';
export { respondentRoutes } from './respondents.routes';
export { deleteMany, hasData, restoreMany, setStatusOfMany, type ChangeOfMany } from './save.sql';
export { exportedSubmissions } from './submission-answers';
export { answerBytes, submissionBodies, type SubmissionBodies, type SubmitterField } from './submission-body';
export { submissionSettingsSchema, type SubmissionSettings } from './submission-settings';
export { submissionRoutes } from './submissions.routes';
export { internalTextRoutes } from './texts-internal.routes';
export { textRoutes } from './texts.routes';

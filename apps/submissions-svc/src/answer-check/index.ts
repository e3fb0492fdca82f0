export { createAnswerCheck, type AnswerCheck } from './answer-check';
export {
  answerChecks,
  checkedForm,
  findCheckedForm,
  type AnswerCheckMode,
  type CheckedForm,
} from './checked-form.sql';
export type { AnswerFault } from './messages';
export { answerCheckSettingsSchema, type AnswerCheckSettings } from './settings';

export { catalogue, type ErrorCode } from './catalogue';
export {
  fieldErrorLimit,
  notFound,
  Problem,
  validationProblem,
  type FieldErrors,
  type ProblemOptions,
  type Violation,
} from './problem';
export { brokenRule, ruleTexts, type BrokenRule, type RuleName } from './rules';

export type { Cell } from './answer-cells';
export { answerColumnsOf, columnNames, columnTitles, type AnswerColumns } from './answer-columns';
export { formTexts, kindOf, type FormTexts } from './answer-kinds';
export { isOn, itemsOf, memberOf, questionsOf, textOf, type Node } from './definition';
export { textIn } from './survey-texts';
export { answersPrefix, maxAnswerPathLength, pathOfAnswer } from './answer-path';
export type { AnswerText } from './answer-texts';
export {
  answeredAt,
  createAnswersReader,
  type AnsweredForm,
  type AnswersReader,
  type AnswerSources,
  type StoredAnswers,
  type TextsOfForm,
} from './read-answers';

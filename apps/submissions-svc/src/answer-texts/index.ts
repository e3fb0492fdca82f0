export { cellsOf, type Cell } from './answer-cells';
export { answerColumnsOf, columnNames, columnTitles, type AnswerColumns } from './answer-columns';
export { formTexts, kindOf, type AnswerKind } from './answer-kinds';
export { answersPrefix, maxAnswerPathLength, pathOfAnswer } from './answer-path';
export { isNode, itemsOf, memberOf, questionsOf, type Node } from './definition';
export { textIn } from './survey-texts';

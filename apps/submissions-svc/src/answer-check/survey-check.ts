import { Helpers, Serializer, SurveyModel, type Question, type QuestionSelectBase } from 'survey-core';
import 'survey-core/survey.i18n';
import type { ListValues, WordedFault } from './messages';
import { typeFault } from './type-faults';

/** Ends names that SurveyJS cannot hold, those of members of every object, as the page of a form does. */
const mark = '\u200b';
const inner = (name: string): string => (name in Object.prototype ? `${name}${mark}` : name);
const outer = (name: string): string => (name.endsWith(mark) ? name.slice(0, -1) : name);

/** A request that is never sent: choices of other servers stay unknown. */
class UnsentRequest {
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
}

/** Prepares survey-core for this thread: nothing is fetched, and values of data lists are not judged. */
export function prepareSurveys(): void {
  Object.defineProperty(globalThis, 'XMLHttpRequest', { value: UnsentRequest, configurable: true });
  for (const type of ['dropdown', 'tagbox'])
    Serializer.addProperty(type, {
      name: 'dataList',
      onSetValue(question: QuestionSelectBase, list: unknown) {
        question.setPropertyValue('dataList', list);
        if (!list) return;
        question.choicesLazyLoadEnabled = true;
        question.keepIncorrectValues = true;
      },
    });
}

export interface CheckedModel {
  /** A survey without answers. */
  open(): SurveyModel;
  hasQuestions: boolean;
}

/** They keep numbers of rows and panels of earlier answers. */
const keepsState = new Set(['matrixdynamic', 'paneldynamic']);

/** The survey of a definition. It is used for many checks, one after the other, or made again for each. */
export function modelOf(definition: string): CheckedModel {
  const parsed = JSON.parse(definition, (key, value: unknown) =>
    (key === 'name' || key === 'valueName') && typeof value === 'string' ? inner(value) : value,
  ) as object;
  const kept = new SurveyModel(parsed);
  const questions = kept.getAllQuestions();
  const mustRenew = questions.some((question) => keepsState.has(question.getType()));
  return {
    hasQuestions: questions.length > 0,
    open() {
      if (mustRenew) return new SurveyModel(parsed);
      kept.clear(false, true);
      return kept;
    },
  };
}

/** One fault a question, the first that survey-core or the types find, and values of lists to look up. */
export function checkAnswers(
  { open }: CheckedModel,
  answers: string,
): { faults: WordedFault[]; lists: ListValues[] } {
  const sent = readAnswers(answers);
  if (sent === null)
    return { faults: [{ question: '', rule: 'type', message: 'must be a JSON object' }], lists: [] };
  const faults = new Map<string, WordedFault>();
  const add = (question: string, rule: string, message: string) => {
    const name = outer(question);
    if (!faults.has(name)) faults.set(name, { question: name, rule, message });
  };
  const model = open();
  model.data = readAnswers(answers); // another copy, because survey-core changes it
  model.validate(true, false);
  const questions = model.getAllQuestions();
  const owners = questions.filter(({ isVisible, isParentVisible }) => isVisible && isParentVisible);
  for (const question of owners) {
    const [error] = question.getAllErrors();
    if (error) add(question.getValueName(), error.getErrorType(), error.getText());
    for (const each of question.getNestedQuestions(true, true, true)) {
      const rule = typeFault(each);
      if (rule) add(question.getValueName(), rule, wordsOf[rule]);
    }
  }
  model.clearIncorrectValues(true);
  const lists = owners.flatMap(listValues);
  if (model.clearInvisibleValues !== 'none')
    (model as unknown as { clearInvisibleQuestionValues(): void }).clearInvisibleQuestionValues();
  const kept = model.data as Record<string, unknown>;
  const computed = computedNames(model);
  for (const [name, value] of Object.entries(sent)) {
    if (Helpers.isTwoValueEquals(value, kept[name], false, true, false) || isEmpty(value)) continue;
    const own = questions.filter((question) => ownsMember(question, name));
    if (own.some(isComputed) || computed.has(name)) continue;
    if (own.length === 0) add(name, 'unknown', wordsOf.unknown);
    else if (own.some((question) => owners.includes(question))) add(name, 'choice', wordsOf.choice);
    else add(name, 'invisible', wordsOf.invisible);
  }
  return { faults: [...faults.values()], lists };
}

/** English: survey-core has no words, because a page cannot enter these. */
const wordsOf = {
  type: 'is no value of this kind of question',
  choice: 'is not one of the choices',
  max: 'is too large',
  maxlength: 'is too long',
  unknown: 'is no question of the form',
  invisible: 'answers a question that is not visible',
};

function readAnswers(text: string): Record<string, unknown> | null {
  const value = JSON.parse(text) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [inner(name), each as unknown]));
}

/** The comment of a question and the totals of a table are theirs. */
const ownsMember = (question: Question, name: string): boolean =>
  [
    question.getValueName(),
    `${question.getValueName()}-Comment`,
    `${question.getValueName()}-total`,
  ].includes(name);

/** The form sets its value, perhaps by the clock. */
const isComputed = (question: Question): boolean =>
  question.getType() === 'expression' || Boolean(question.setValueExpression) || question.readOnly;

/** Names of members that the form itself writes. */
const computedNames = ({ calculatedValues, triggers }: SurveyModel): ReadonlySet<string> =>
  new Set([
    ...calculatedValues.map(({ name }) => name),
    ...(triggers as { setToName?: string }[]).flatMap(({ setToName }) => setToName ?? []),
  ]);

/** The values of data lists in a question of a page and in those within it. */
const listValues = (owner: Question): ListValues[] =>
  owner.getNestedQuestions(true, true, true).flatMap((question) => {
    const { dataList: list, value } = question as Question & { dataList?: unknown };
    if (typeof list !== 'string' || list === '') return [];
    const values = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isListValue).map(String);
    return values.length === 0 ? [] : [{ question: outer(owner.getValueName()), list, values }];
  });

const isListValue = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

const isEmpty = (value: unknown): boolean => Helpers.isValueEmpty(value) as boolean;

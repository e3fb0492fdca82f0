import {
  Helpers,
  type Question,
  type QuestionBooleanModel,
  type QuestionCheckboxModel,
  type QuestionRatingModel,
  type QuestionSelectBase,
  type QuestionSliderModel,
  type QuestionTextModel,
} from 'survey-core';

/** The form in which inputs of browsers give their values. */
const written: Readonly<Record<string, RegExp>> = {
  date: /^\d{4,6}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  month: /^\d{4,6}-(0[1-9]|1[0-2])$/,
  week: /^\d{4,6}-W(0[1-9]|[1-4]\d|5[0-3])$/,
  time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/,
  'datetime-local':
    /^\d{4,6}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?/,
  color: /^#[0-9a-f]{6}$/i,
};

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && Helpers.isNumber(value));

const lists = new Set(['checkbox', 'tagbox', 'ranking']);
const singles = new Set(['radiogroup', 'dropdown', 'buttongroup']);

/**
 * The rule that a value breaks without an error of survey-core, because no control of a page can enter it;
 * null: none.
 */
export function typeFault(question: Question): 'type' | 'choice' | 'max' | 'maxlength' | null {
  // As it was loaded: the question itself may show a list of one as its value.
  const value = question.data?.getValue(question.getValueName()) as unknown;
  if (Helpers.isValueEmpty(value)) return null;
  const type = question.getType();
  if (type === 'text') return textFault(question as QuestionTextModel, value);
  if (type === 'comment') return longer(question as QuestionTextModel, value) ?? whole(isPlain(value));
  if (type === 'boolean') return booleanFault(question as QuestionBooleanModel, value);
  if (type === 'rating') {
    const { visibleRateValues } = question as QuestionRatingModel;
    return visibleRateValues.some((item) => same(item.value, value)) ? null : 'choice';
  }
  if (type === 'slider') return sliderFault(question as QuestionSliderModel, value);
  if (lists.has(type)) return listFault(question as QuestionCheckboxModel, value);
  if (singles.has(type))
    return whole(!Array.isArray(value)) ?? otherFault(question as QuestionSelectBase, [value]);
  if (type === 'matrix') {
    const cells = isRecord(value) ? Object.values(value) : [];
    return whole(isRecord(value) && cells.every((cell) => Array.isArray(cell) || isPlain(cell)));
  }
  if (type === 'matrixdropdown' || type === 'multipletext') return whole(isRecord(value));
  if (type === 'matrixdynamic') return rowsFault(value, question.maxRowCount as number);
  if (type === 'paneldynamic') return rowsFault(value, question.maxPanelCount as number);
  if (type === 'file') return whole(Array.isArray(value) && value.every(isRecord));
  if (type === 'signaturepad') return whole(typeof value === 'string');
  return null;
}

const whole = (isRight: boolean) => (isRight ? null : 'type');

/** A number and its text are one choice, as for survey-core. */
const same = (one: unknown, other: unknown): boolean =>
  one === other || (isPlain(one) && isPlain(other) && String(one) === String(other));

function textFault(question: QuestionTextModel, value: unknown) {
  const { inputType } = question;
  if (inputType === 'number' || inputType === 'range') return whole(isNumeric(value));
  const form = written[inputType];
  if (form) return whole(typeof value === 'string' && form.test(value));
  return whole(isPlain(value)) ?? longer(question, value);
}

function longer(question: QuestionTextModel, value: unknown): 'maxlength' | null {
  const limit: unknown = question.getMaxLength();
  return typeof limit === 'number' && limit > 0 && String(value).length > limit ? 'maxlength' : null;
}

function booleanFault(question: QuestionBooleanModel, value: unknown) {
  const values: unknown[] = [question.getValueTrue(), question.getValueFalse()];
  return values.some((each) => each === value) ? null : 'type';
}

/** A choice is chosen once. */
function listFault(question: QuestionCheckboxModel, value: unknown) {
  if (!Array.isArray(value)) return 'type';
  if (new Set(value.map((each) => JSON.stringify(each))).size < value.length) return 'choice';
  const { maxSelectedChoices: most } = question;
  return most > 0 && value.length > most ? 'max' : otherFault(question, value);
}

/** survey-core keeps the value of the other item, also where it is not shown. */
function otherFault({ otherItem, showOtherItem, choices }: QuestionSelectBase, values: readonly unknown[]) {
  const other = otherItem.value as unknown;
  const isOwn = showOtherItem || (choices as { value: unknown }[]).some(({ value }) => value === other);
  return !isOwn && values.includes(other) ? 'choice' : null;
}

function sliderFault(question: QuestionSliderModel, value: unknown) {
  const { sliderType, renderedMin, renderedMax } = question;
  const isRange = sliderType === 'range';
  const values: unknown[] = isRange && Array.isArray(value) ? (value as unknown[]) : [value];
  if (Array.isArray(value) !== isRange || !values.every(isNumeric)) return 'type';
  return values.every((each) => Number(each) >= renderedMin && Number(each) <= renderedMax) ? null : 'max';
}

function rowsFault(value: unknown, max: number) {
  if (!Array.isArray(value) || !value.every(isRecord)) return 'type';
  return value.length > max ? 'max' : null;
}

import type * as SurveyCore from 'survey-core';

/**
 * Returns whether survey-core lets a respondent complete a form with these answers, and keeps them all. Runs
 * in a browser, too: it must not use anything from outside.
 */
export function oracle(
  { SurveyModel, Helpers }: Pick<typeof SurveyCore, 'SurveyModel' | 'Helpers'>,
  definition: object,
  answers: Record<string, unknown>,
): boolean {
  const isOfObjects = (name: string) => name in Object.prototype;
  const inner = (name: string) => (isOfObjects(name) ? `${name}\u200b` : name);
  const model = new SurveyModel(
    JSON.parse(JSON.stringify(definition), (key, value: unknown) =>
      (key === 'name' || key === 'valueName') && typeof value === 'string' ? inner(value) : value,
    ),
  );
  const sent = Object.fromEntries(Object.entries(answers).map(([name, value]) => [inner(name), value]));
  model.data = JSON.parse(JSON.stringify(sent)) as object;
  model.clearIncorrectValues(true);
  // Rendering makes the rows of tables.
  for (const question of model.getAllQuestions()) void question['visibleRows'];
  // One page after the other, as a respondent does.
  for (let page = 0; page <= model.visiblePageCount && !model.isLastPage; page++)
    if (!model.nextPage()) return false;
  if (!model.completeLastPage()) return false;
  const kept = model.data as Record<string, unknown>;
  return Object.entries(sent).every(
    ([name, value]) =>
      Helpers.isValueEmpty(value) || Helpers.isTwoValueEquals(value, kept[name], false, true, false),
  );
}

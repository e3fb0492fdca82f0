import { get } from '../api';
import type { KeyPage } from '../key-rows';
import type { Submission } from './columns';

/** A page with the texts of the shown answers, which one request reads for all of its submissions. */
export async function withTexts(
  page: KeyPage<Submission>,
  {
    formId,
    questions,
    locale,
    signal,
  }: { formId: string; questions: string[]; locale: string; signal: AbortSignal },
): Promise<KeyPage<Submission>> {
  const ids = page.items.map(({ id }) => id!);
  if (ids.length === 0 || questions.length === 0) return page;
  const params = { path: { formId }, query: { ids, questions, locale } };
  const { items } = await get('/api/forms/{formId}/answer-texts', params, signal);
  const byId = new Map(items.map(({ id, answers }) => [id, answers ?? []]));
  const textsOf = (id: string) =>
    Object.fromEntries((byId.get(id) ?? []).map(({ name, text }) => [name, text]));
  return { ...page, items: page.items.map((item) => ({ ...item, texts: textsOf(item.id!) })) };
}

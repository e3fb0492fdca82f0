// cspell:ignore Drei Fragen Herzlichen München Noch etwas wohnen
import type { Callers } from './client';

const cities = [
  ['vie', 'Vienna', 'Wien'],
  ['grz', 'Graz', 'Graz'],
  ['lnz', 'Linz', 'Linz'],
  ['mun', 'Munich', 'München'],
  ['col', 'Cologne', 'Köln'],
] as const;

/** A form with three questions on two pages and a list of five choices, in English and German. */
export async function cityForm({ admin }: Callers, settings: object = {}): Promise<string> {
  const name = 'Cities of respondents';
  const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name });
  const items = cities.map(([value, english, german]) => ({
    value,
    labels: { default: english, de: german },
  }));
  await admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, { items, ensureLocales: ['de'] });
  const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name,
    isEnabled: true,
    dataListIds: [list.id],
    definition: {
      title: { default: 'Where you live', de: 'Wo Sie wohnen' },
      description: { default: 'Three questions.', de: 'Drei Fragen.' },
      completedHtml: { default: '<h3>Thank you so much</h3>', de: '<h3>Herzlichen Dank</h3>' },
      pages: [
        {
          elements: [
            {
              type: 'text',
              name: 'name',
              title: { default: 'Your name', de: 'Ihr Name' },
              isRequired: true,
            },
            {
              type: 'dropdown',
              name: 'city',
              title: { default: 'Your city', de: 'Ihre Stadt' },
              dataList: list.id,
            },
          ],
        },
        {
          elements: [
            { type: 'comment', name: 'more', title: { default: 'Anything else?', de: 'Noch etwas?' } },
          ],
        },
      ],
    },
    ...settings,
  });
  return id;
}

export interface StoredSubmission {
  id: string;
  isComplete: boolean;
  jsonData: string;
}

/** All submissions of a form. */
export const submissionsOf = async ({ admin }: Callers, formId: string): Promise<StoredSubmission[]> =>
  (await admin.expect<{ items: StoredSubmission[] }>(200, 'GET', `/api/forms/${formId}/submissions`)).items;

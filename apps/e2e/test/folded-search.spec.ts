import { signIn, type Callers } from '../src/client';

let callers: Callers;
beforeAll(async () => {
  callers = await signIn();
});

/**
 * A stored name, and what people type for it. Such reports are oscurrency/oscurrency#362,
 * baserow/baserow#1350, directus/directus#17941, TarteelAI/quranic-universal-library#749,
 * meilisearch/charabia#382 and mapbox/carmen#625.
 */
const cases: [string, string][] = [
  ['ÅNGSTRÖM', 'angstrom'],
  ['Łódź', 'LODZ'],
  ['Straße', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['Đakovo', 'dakovo'],
  ['Москва', 'МОСКВА'],
  ['Ёлка', 'елка'],
  ['ΟΔΟΣ', 'οδός'],
  ['كتاب', 'کتاب'],
  ['علی', 'علي'],
  ['أحمد', 'احمد'],
  ['مدرسة', 'مدرسه'],
  ['پرونده ۱۴۰۵', '1405'],
  ['लेख १२३', '123'],
  ['Côte d’Ivoire', "cote d'ivoire"],
  ['Größe ½', '1/2'],
  ['ｆｕｌｌ', 'full'],
];

it.each(cases)('%s is found by %s in every search', async (name, typed) => {
  const { admin, integration } = callers;
  const mark = `${Date.now()}${Math.random()}`.slice(-12);
  const stored = `${name} ${mark}`;
  const text = encodeURIComponent(`${typed} ${mark}`);
  const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', { name: stored });
  await admin.expect(201, 'POST', '/api/data-lists', { name: stored, isActive: true });
  await admin.expect(201, 'POST', '/api/service-accounts', { name: stored, roles: ['Viewer'] });
  await admin.expect(201, 'POST', '/api/users', {
    email: `u${mark}@example.org`,
    name: stored,
    roles: ['Viewer'],
  });
  const submissions = `/api/forms/${form.id}/submissions`;
  await integration.expect(201, 'POST', `${submissions}/onbehalf`, {
    submitter: { externalSubjectId: mark, displayId: stored },
  });
  const found = async (path: string) => {
    const { items } = await admin.expect<{ items: unknown[] }>(200, 'GET', path);
    return [path.split('?')[0], items.length];
  };
  const lists = ['/api/forms', '/api/data-lists', '/api/users', '/api/submitters', submissions];
  expect(await Promise.all(lists.map((path) => found(`${path}?search=${text}`)))).toEqual(
    lists.map((path) => [path, 1]),
  );
  const everything = await admin.expect<{ items: { kind: string }[] }>(200, 'GET', `/api/search?q=${text}`);
  expect(everything.items.map(({ kind }) => kind).sort()).toEqual([
    'dataList',
    'form',
    'serviceAccount',
    'submitter',
    'user',
  ]);
});

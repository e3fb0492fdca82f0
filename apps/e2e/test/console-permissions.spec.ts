import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { enter, heading, startStage, type Account, type Stage } from '../src/console';
import { permissionTable } from '../src/permission-table';

/**
 * Compares what the console offers to whom with the table of the permission walk: a page is in the navigation
 * if it can be opened, a page that is refused names a permission that the role lacks, and no page asks the
 * API for what it refuses.
 */
const roles = ['Admin', 'Editor', 'Reviewer', 'Viewer', 'Respondent'];
const routes = permissionTable();

let stage: Stage;
let records: string[];
beforeAll(async () => {
  stage = await startStage();
  const { formId, submissionId } = await stage.newForm(0);
  const { admin } = stage.callers;
  const first = async (path: string) =>
    (await admin.get<{ items: { id: string }[] }>(`${path}?limit=1`)).items[0]!.id;
  records = [
    `/forms/${formId}/submissions`,
    `/forms/${formId}/submissions/${submissionId}`,
    `/submitters/${await first('/api/submitters')}`,
    `/users/${await first('/api/users')}`,
    `/service-accounts/${await first('/api/service-accounts')}`,
    '/settings',
    ...['', '/edit', '/settings', '/settings/versions'].map((end) => `/forms/${formId}${end}`),
  ];
});
afterAll(() => stage.close());

const navigation = async (page: Page): Promise<string[]> => {
  const links = await page.getByRole('navigation').getByRole('link').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  return paths.map((path) => path!.replace(/^\/console/, ''));
};

/** Opens pages as a user: which are refused, and because of which permission. */
async function visit(user: Account, paths: readonly string[]) {
  let offered: string[] = [];
  const refused = new Map<string, string>();
  const rejected: string[] = [];
  await stage.journey(async (window) => {
    const { page } = window;
    page.on('response', (response) => {
      if (response.status() === 403) rejected.push(`${response.request().method()} ${response.url()}`);
    });
    await enter(window, user);
    offered = await navigation(page);
    for (const path of paths) {
      await window.open(path);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await eventually(async () =>
        expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0),
      );
      if (!(await heading(page, 'You may not see this').isVisible())) continue;
      const text = await page.getByText(/You need the permission/).textContent();
      refused.set(path, /\(([A-Za-z]+\.[A-Za-z]+)\)\./.exec(text!)![1]!);
    }
  });
  return { offered, refused, rejected };
}

/** Returns whether a role has a permission, by the table. */
const has = (role: string, permission: string): boolean =>
  routes.find(({ needs }) => needs === permission)!.expected[role] === 'yes';

it.each(roles)('offers %s what the API allows, and nothing else', async (role) => {
  const admin = await stage.newUser(['Admin']);
  const { offered: all } = await visit(admin, []);
  const { offered, refused, rejected } = await visit(await stage.newUser([role]), [...all, ...records]);
  expect(rejected).toEqual([]);
  expect(offered).toEqual(all.filter((path) => !refused.has(path)));
  for (const [path, permission] of refused) expect([path, has(role, permission)]).toEqual([path, false]);
  // The pages of one record follow the page of their list.
  expect(refused.has('/settings')).toBe(false);
  expect(refused.has(records[2]!)).toBe(refused.has('/submitters'));
  expect(refused.has(records[3]!)).toBe(refused.has('/users'));
  console.info(
    `${role}: ${all.length + records.length - refused.size} of ${all.length + records.length} pages.`,
  );
});

it.each(roles)('offers %s the export and the erasure of a person if the API allows them', async (role) => {
  const path = records[2]!;
  const user = await stage.newUser([role]);
  await stage.journey(async (window) => {
    await enter(window, user, path);
    const { page } = window;
    if (!has(role, 'Submissions.View')) {
      await page.getByText('You need the permission “See submissions” (Submissions.View).').waitFor();
      return;
    }
    await page.getByRole('table', { name: 'Submissions in all forms' }).waitFor();
    const offers = async (name: string) => (await page.getByRole('button', { name }).count()) === 1;
    expect(await offers('Export')).toBe(has(role, 'Submissions.Export'));
    expect(await offers('Erase …')).toBe(has(role, 'Submissions.Erase'));
  });
});

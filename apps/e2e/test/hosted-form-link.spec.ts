import { eventually } from '@canvass/testing';
import type { Page } from 'playwright-core';
import { barriers } from '../src/browser';
import { startStage, type Stage } from '../src/console';
import { cityForm, submissionsOf } from '../src/hosted-form';

/** The page of a form that a personal link opens. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const field = (page: Page, name: string) => page.getByRole('textbox', { name });

interface Linked {
  formId: string;
  /** The links of the submission, for staff. */
  links: string;
  link: { id: string; token: string };
}

/** A form with a submission that was begun for a person, and a link to it. */
async function linked(right: string, settings: object = {}): Promise<Linked> {
  const { admin } = stage.callers;
  const formId = await cityForm(stage.callers, settings);
  const path = `/api/forms/${formId}/submissions`;
  const body = {
    submitter: { externalSubjectId: 'crm-1', displayId: 'Ada' },
    jsonData: '{"name":"Ada"}',
    link: { right },
  };
  const { id, link } = await admin.expect<{ id: string; link: Linked['link'] }>(
    201,
    'POST',
    `${path}/onbehalf`,
    body,
  );
  return { formId, links: `${path}/${id}/links`, link };
}

const address = ({ formId, link }: Linked) => `/f/${formId}#link=${link.token}`;

it.each([
  ['continue', { isPublic: true }],
  ['edit', { isPublic: false }],
])('saves by a link with %s, also after a reload, and creates nothing', async (right, settings) => {
  const made = await linked(right, settings);
  await stage.journey(async ({ page }) => {
    await page.goto(address(made));
    await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe('Ada'));
    expect(page.url()).not.toContain('link');
    await field(page, 'Your name').fill('Ada L.');
    await page.getByRole('combobox', { name: 'Your city' }).press('ArrowDown');
    await page.getByRole('option', { name: 'Graz' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () => {
      const [stored] = await submissionsOf(stage.callers, made.formId);
      expect(JSON.parse(stored!.jsonData)).toEqual({ name: 'Ada L.', city: 'grz' });
    });
    await page.reload();
    await field(page, 'Anything else?').fill('No');
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByRole('heading', { name: 'Thank you so much' }).waitFor();
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(made.link.token);
  });
  const stored = await submissionsOf(stage.callers, made.formId);
  expect(stored.map(({ isComplete, jsonData }) => [isComplete, JSON.parse(jsonData) as object])).toEqual([
    [true, { name: 'Ada L.', city: 'grz', more: 'No' }],
  ]);
  await stage.journey(async ({ page }) => {
    await page.goto(address(made));
    if (right === 'edit')
      await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe('Ada L.'));
    else await page.getByText('The answers of this link are complete.').waitFor();
  });
});

it('shows the answers of the second link that is opened in a tab', async () => {
  const made = await linked('edit', { isPublic: false });
  const body = {
    jsonData: '{"name":"Bob"}',
    submitter: { externalSubjectId: 'crm-2', displayId: 'Bob' },
    link: { right: 'edit' },
  };
  const path = `/api/forms/${made.formId}/submissions/onbehalf`;
  const { link } = await stage.callers.admin.expect<Pick<Linked, 'link'>>(201, 'POST', path, body);
  await stage.journey(async ({ page }) => {
    for (const [of, name] of [
      [made, 'Ada'],
      [{ ...made, link }, 'Bob'],
    ] as const) {
      await page.goto(address(of));
      await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe(name));
      expect(page.url()).not.toContain('link');
    }
  });
});

it('shows the answers of a link with view, which no one can change', async () => {
  const made = await linked('view', { isPublic: false });
  await stage.callers.admin.expect(200, 'PATCH', `/api/forms/${made.formId}`, {
    closesAt: '2020-01-01T00:00:00Z',
  });
  await stage.journey(async ({ page }) => {
    await page.goto(address(made));
    await eventually(async () => expect(await field(page, 'Your name').inputValue()).toBe('Ada'));
    expect(await field(page, 'Your name').isEditable()).toBe(false);
    await page.getByRole('button', { name: 'Next' }).click();
    await field(page, 'Anything else?').waitFor();
    expect(await field(page, 'Anything else?').isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

const ends: readonly (readonly [string, object, (made: Linked) => Promise<unknown>, string])[] = [
  [
    'revoked',
    {},
    ({ links, link }) => stage.callers.admin.expect(204, 'DELETE', `${links}/${link.id}`),
    'This link was withdrawn.',
  ],
  [
    'revoked of a private form',
    { isPublic: false },
    ({ links, link }) => stage.callers.admin.expect(204, 'DELETE', `${links}/${link.id}`),
    'This link was withdrawn.',
  ],
  [
    'of a deleted submission',
    {},
    ({ links }) => stage.callers.admin.expect(204, 'DELETE', links.replace(/\/links$/, '')),
    'The answers of this link were deleted.',
  ],
  [
    'of another form',
    {},
    async (made) => void (made.formId = (await linked('view')).formId),
    'There is no such link.',
  ],
];

it.each(ends)('says of a link %s what it means', async (_, settings, end, text) => {
  const made = await linked('edit', settings);
  await end(made);
  await stage.journey(async ({ page }) => {
    await page.goto(address(made));
    await page.getByText(text).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});

import { eventually } from '@canvass/testing';
import { enter, heading, startStage, type Stage } from '../src/console';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

it('times are written in the zone in which they are shown, not in that of the browser', async () => {
  const user = await stage.newUser(['Admin']);
  const { formId } = await stage.newForm(1);
  const run: Parameters<Stage['journey']>[0] = async (window) => {
    await enter(window, user, '/settings');
    const { page } = window;
    await page.getByLabel('Time zone').selectOption('America/New_York');

    await page.goto(`/console/forms/${formId}/submissions?from=2026-01-15T20:00:00.000Z`);
    await page.getByRole('button', { name: /^Change the filter From/ }).click();
    const from = page.getByLabel('From (inclusive)', { exact: true });
    expect(await from.inputValue()).toBe('2026-01-15T15:00');
    await from.fill('2026-07-15T18:00');
    await from.press('Enter');
    const urlHas = (name: string, value: string) =>
      eventually(() => {
        expect(new URL(page.url()).searchParams.get(name)).toBe(value);
        return Promise.resolve();
      });
    await urlHas('from', '2026-07-15T22:00:00.000Z');

    const asked = page.waitForRequest((request) => request.url().includes('/api/audit?'));
    await page.goto('/console/audit?from=2026-01-15&to=2026-07-16');
    const query = new URL((await asked).url()).searchParams;
    expect([query.get('from'), query.get('to')]).toEqual([
      '2026-01-15T05:00:00.000Z',
      '2026-07-16T04:00:00.000Z',
    ]);

    const account = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/service-accounts', {
      name: `zones ${formId}`,
      roles: ['Viewer'],
      expiresAt: '2030-01-15T20:00:00.000Z',
    });
    await page.goto(`/console/service-accounts/${account.id}`);
    await heading(page, `zones ${formId}`).waitFor();
    const expires = page.getByLabel('Expires', { exact: false });
    expect(await expires.inputValue()).toBe('2030-01-15T15:00');
    await expires.fill('2030-07-15T18:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      const path = `/api/service-accounts/${account.id}`;
      const { expiresAt } = await stage.callers.admin.expect<{ expiresAt: string }>(200, 'GET', path);
      expect(expiresAt).toBe('2030-07-15T22:00:00.000Z');
    });

    // Seconds that the page does not show stay.
    const path = `/api/forms/${formId}`;
    await stage.callers.admin.expect(200, 'PATCH', path, { opensAt: '2026-01-15T20:00:30.000Z' });
    await page.goto(`/console/forms/${formId}/settings`);
    expect(await page.getByLabel('Opens').inputValue()).toBe('2026-01-15T15:00');
    await page.getByLabel('Closes').fill('2030-07-15T18:00');
    await page.getByLabel('Maximum number of submissions').fill('250');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      expect(await stage.callers.admin.expect(200, 'GET', path)).toMatchObject({
        opensAt: '2026-01-15T20:00:30.000Z',
        closesAt: '2030-07-15T22:00:00.000Z',
        maxSubmissions: 250,
      });
    });
  };
  await stage.journey(run, { zone: 'Europe/Berlin' });
});

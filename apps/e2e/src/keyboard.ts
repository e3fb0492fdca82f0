import type { Locator, Page } from 'playwright-core';
import type { ConsoleWindow } from './browser';
import type { Account } from './console';

/** Steps of journeys by keys alone: none clicks, and none sets the focus. */

/** Most presses of Tab until an element has the focus. */
const maxPresses = 80;

/** Presses Tab until an element has the focus. @throws {Error} if it is not reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const reached = target.and(page.locator(':focus'));
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if ((await reached.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}.`);
}

/** Goes to an element by Tab, and presses a key there. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field by Tab, and replaces its text. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await press(page, target, 'Control+a');
  await page.keyboard.insertText(text);
}

/** Opens a path and signs in. The form has the focus when it appears. */
export async function enterByKeys({ page, open }: ConsoleWindow, user: Account, path: string): Promise<void> {
  await open(path);
  await page.getByLabel('E-mail address').and(page.locator(':focus')).waitFor();
  await page.keyboard.insertText(user.email);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
}

/** Goes into a grid and down to a row, and opens it. */
export async function openRow(page: Page, name: string, rowIndex: number): Promise<void> {
  const grid = page.getByRole('grid', { name });
  await grid.locator(`[aria-rowindex="${rowIndex}"]`).waitFor();
  await tabTo(page, grid.locator('[tabindex="0"]'));
  const row = grid.locator(`[aria-rowindex="${rowIndex}"]`).locator(':focus');
  for (let presses = 1; presses < rowIndex && (await row.count()) === 0; presses += 1)
    await page.keyboard.press('ArrowDown');
  await row.waitFor();
  await page.keyboard.press('Enter');
}

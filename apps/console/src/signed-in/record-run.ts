/**
 * The records of the list that was shown last, as addresses in its order. The page of a record leads from it
 * to the ones beside it. Kept for the window, also over a reload.
 */

const name = 'canvass-run';

/** Keeps the records of a list. Null is a record without a page. */
export function keepRun(pages: readonly (string | null)[]): void {
  sessionStorage.setItem(name, JSON.stringify(pages.filter((page) => page !== null)));
}

/** The records beside one in the list from which it was opened; null if it was opened from none. */
export function besideInRun(href: string): { previous: string | null; next: string | null } | null {
  const pages = JSON.parse(sessionStorage.getItem(name) ?? '[]') as string[];
  const index = pages.indexOf(href);
  if (index === -1) return null;
  return { previous: pages[index - 1] ?? null, next: pages[index + 1] ?? null };
}

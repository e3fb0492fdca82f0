import { attempt } from '../attempt';
import { takeFragment } from '../fragment';

const key = `canvass-link ${location.pathname}`;

/** The token of a link, `#link=<token>`. It lasts for a reload of the tab where the browser has storage. */
export const link: string | null = taken();

function taken(): string | null {
  const found = takeFragment('link');
  if (found !== null) attempt(() => sessionStorage.setItem(key, found));
  return found ?? attempt(() => sessionStorage.getItem(key));
}

import { attempt } from '../attempt';

const key = `canvass-link ${location.pathname}`;

/**
 * The token of a link, `#link=<token>`. It is taken out of the address, so that no one shares it, and
 * lasts for a reload of the tab where the browser has storage.
 */
export const link: string | null = taken();

function taken(): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get('link');
  if (found !== null) history.replaceState(null, '', location.pathname + location.search);
  if (found !== null) attempt(() => sessionStorage.setItem(key, found));
  return found ?? attempt(() => sessionStorage.getItem(key));
}

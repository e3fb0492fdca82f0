import { attempt } from '../attempt';
import { consolePath, ownName, pathPrefix } from '../base';

/** A sign-in that has begun at a provider: what the answer is checked against. It has no token. */
export interface Departure {
  /** Name of the provider. */
  provider: string;
  /** `page`: this page goes to the provider; `silent`: so, without a page there; `window`: another window. */
  mode: 'page' | 'silent' | 'window';
  state: string;
  nonce: string;
  /** The secret of PKCE, which the code of the answer is worth nothing without. */
  verifier: string;
}

/** The path that the provider sends the browser back to. */
export const callbackPath = `${consolePath}/callback`;

const departureKey = ownName('canvass-departure');
const providerKey = ownName('canvass-provider');

/** Keeps a departure while this tab shows the page of the provider, and where the tab returns to. */
export function keepDeparture(departure: Departure): void {
  const { pathname, search } = location;
  const back = pathname === callbackPath ? `${consolePath}/` : pathname + search;
  sessionStorage.setItem(departureKey, JSON.stringify({ ...departure, back }));
}

/** A departure, where the tab returns to, and what a page of the console has handed over of the answer. */
type Return = Departure & { back: string; answer?: string };

/**
 * Hands the answer of a provider over to the page of a form, if that began the sign-in: it knows the one
 * address of the console only.
 */
export function handToForm(): boolean {
  const departure = location.pathname === callbackPath ? takeDeparture() : null;
  if (departure === null) return false;
  const isForm = departure.back.startsWith(`${pathPrefix}/f/`);
  const kept = isForm ? { ...departure, answer: location.search } : departure;
  sessionStorage.setItem(departureKey, JSON.stringify(kept));
  if (isForm) location.replace(departure.back);
  return isForm;
}

/** Returns whether the answer of a provider was handed over to this page, which is that of a form. */
export const hasAnswer = (): boolean =>
  !location.pathname.startsWith(consolePath) &&
  (sessionStorage.getItem(departureKey)?.includes('"answer"') ?? false);

/** The departure of this tab, once. */
export function takeDeparture(): Return | null {
  const text = sessionStorage.getItem(departureKey);
  sessionStorage.removeItem(departureKey);
  return text === null ? null : (JSON.parse(text) as Return);
}

/** Name of the provider of the last sign-in in this browser, until the sign-out; null: the own sign-in. */
export const rememberedProvider = (): string | null => attempt(() => localStorage.getItem(providerKey));

/** Null forgets it. If the browser forbids the storage, a reload asks for the sign-in again. */
export function rememberProvider(name: string | null): void {
  attempt(() =>
    name === null ? localStorage.removeItem(providerKey) : localStorage.setItem(providerKey, name),
  );
}

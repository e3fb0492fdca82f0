import { useSyncExternalStore } from 'react';
import { pathPrefix } from '../base';

/** Paths of pages that are remembered; the oldest is forgotten first. */
const maxPages = 100;
/** The requests that say nothing about the data of a page. */
const ofTheFrame = ['/api/auth/me', '/api/auth/me/preferences', '/api/views'];

const none: readonly string[] = [];
/** The reads of each page, by its path: the last address of each path of the API. */
const byPage = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();

const pathOf = (address: string): string => address.split('?', 1)[0]!;

/** Remembers what the page reads, for `useReads`. */
export function noteRead({ method, url }: Request): void {
  const { pathname: path, search } = new URL(url);
  const pathname = path.slice(pathPrefix.length);
  if (method !== 'GET' || ofTheFrame.includes(pathname)) return;
  const page = location.pathname;
  const others = (byPage.get(page) ?? none).filter((address) => pathOf(address) !== pathname);
  byPage.delete(page);
  byPage.set(page, [...others, pathname + search]);
  for (const oldest of [...byPage.keys()].slice(0, -maxPages)) byPage.delete(oldest);
  listeners.forEach((listener) => listener());
}

/** Runs after an erasure: filters in the addresses may name a person. */
export function forgetReads(): void {
  byPage.clear();
  listeners.forEach((listener) => listener());
}

/** The reads of this page from the API: paths with their query. */
export const useReads = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => byPage.get(location.pathname) ?? none,
  );

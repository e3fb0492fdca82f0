import { pathPrefix } from './page';

/** What a respondent has typed, and how much of it the server has. */
export interface Draft {
  /** The answers and the page, as they are sent. */
  jsonData: string;
  currentPage: number;
  /** Returns whether the respondent has submitted. */
  isComplete: boolean;
  /** Returns whether the server has not confirmed all of this. */
  isUnsent: boolean;
  /** Of the submission; null before it exists. */
  token: string | null;
  /** When the token was last used with success, in milliseconds. */
  usedAt: number;
  /** A create without a response: it is repeated as it was. */
  create: { key: string; body: string } | null;
  /** Returns whether a save that completes may have reached the server, although no response came. */
  mayBeComplete: boolean;
}

export const emptyDraft = (): Draft => ({
  jsonData: '{}',
  currentPage: 0,
  isComplete: false,
  isUnsent: false,
  token: null,
  usedAt: 0,
  create: null,
  mayBeComplete: false,
});

/** The draft of a form in the storage of the browser, where there is one. */
export interface DraftStore {
  /** The draft; null without one. */
  read(): Draft | null;
  write(draft: Draft): void;
  clear(): void;
  /** Returns whether another page of the browser has removed the draft, as after it was submitted. */
  isTaken(): boolean;
}

/** Opens the storage. Without one, as in a frame of another site, the draft lives as long as the page. */
export function openDraft(formId: string): DraftStore {
  const key = `canvass-form-${formId}${pathPrefix === '' ? '' : ` ${pathPrefix}`}`;
  let hasWritten = false;
  const attempt = <T>(run: (storage: Storage) => T): T | null => {
    try {
      return run(localStorage);
    } catch {
      return null; // not permitted, or full
    }
  };
  return {
    read() {
      const text = attempt((storage) => storage.getItem(key));
      return text === null
        ? null
        : attempt(() => ({ ...emptyDraft(), ...(JSON.parse(text) as Partial<Draft>) }));
    },
    write(draft) {
      hasWritten = attempt((storage) => (storage.setItem(key, JSON.stringify(draft)), true)) ?? false;
    },
    clear() {
      hasWritten = false;
      attempt((storage) => storage.removeItem(key));
    },
    isTaken: () => hasWritten && attempt((storage) => storage.getItem(key) === null) === true,
  };
}

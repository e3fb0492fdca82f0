import { attempt } from '../attempt';
import { pathPrefix } from '../base';

/** What a respondent has typed, and how much of it the server has. */
export interface Draft {
  /** The answers and the page, as they are sent. */
  jsonData: string;
  currentPage: number;
  /** Returns whether the respondent has submitted. */
  isComplete: boolean;
  /** Returns whether the server has not confirmed all of this. */
  isUnsent: boolean;
  /** The answers that the server had last: what differs was typed here. */
  sent: string;
  /** Of the submission; null before it exists. */
  token: string | null;
  /** Returns whether the token is that of a link, which begins no other submission. */
  isLink: boolean;
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
  sent: '{}',
  token: null,
  isLink: false,
  usedAt: 0,
  create: null,
  mayBeComplete: false,
});

/** The answers of the server with what was typed here since `sent`. */
export function mergedAnswers(server: string, { jsonData, sent }: Pick<Draft, 'jsonData' | 'sent'>): string {
  const [theirs, own, before] = [server, jsonData, sent].map(
    (json) => new Map(Object.entries(JSON.parse(json) as object)),
  );
  const isSame = (name: string) => JSON.stringify(own!.get(name)) === JSON.stringify(before!.get(name));
  const names = [...new Set([...theirs!.keys(), ...own!.keys()])];
  const kept = names.flatMap((name): [string, unknown][] => {
    const from = isSame(name) ? theirs! : own!;
    return from.has(name) ? [[name, from.get(name)]] : [];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** The draft of a form in the storage of the browser, where there is one. */
export interface DraftStore {
  /** The draft; null without one. */
  read(): Draft | null;
  write(draft: Draft): void;
  clear(): void;
  /** Calls a listener with what another tab of the browser writes; null: it has removed the draft. */
  onOther(listener: (draft: Draft | null) => void): void;
  /** Runs while no other tab of the browser does, where the browser has locks. */
  alone<T>(run: () => Promise<T>): Promise<T>;
  /** Returns whether another page of the browser has removed the draft, as after it was submitted. */
  isTaken(): boolean;
}

/** Opens the storage. Without one, as in a frame of another site, the draft lives as long as the page. */
export function openDraft(formId: string, owner: string): DraftStore {
  const key = `canvass-form-${formId}${owner && ` ${owner}`}${pathPrefix === '' ? '' : ` ${pathPrefix}`}`;
  let hasWritten = false;
  const parsed = (text: string | null) =>
    text === null ? null : attempt(() => ({ ...emptyDraft(), ...(JSON.parse(text) as Partial<Draft>) }));
  return {
    read: () => parsed(attempt(() => localStorage.getItem(key))),
    onOther(listener) {
      addEventListener('storage', (event) => event.key === key && listener(parsed(event.newValue)));
    },
    write(draft) {
      hasWritten = attempt(() => (localStorage.setItem(key, JSON.stringify(draft)), true)) ?? false;
    },
    clear() {
      hasWritten = false;
      attempt(() => localStorage.removeItem(key));
    },
    async alone(run) {
      const locks = attempt(() => navigator.locks as LockManager | undefined); // none without https
      return await (locks ? locks.request(key, run) : run());
    },
    isTaken: () => hasWritten && attempt(() => localStorage.getItem(key) === null) === true,
  };
}

import { call, caller, challengeHeaders, Refusal } from './call';
import { mergedAnswers, type Draft, type DraftStore } from './draft';

/** The state of the sending. */
export type Progress =
  | { kind: 'sent' }
  | { kind: 'complete' }
  /** No response, or one that asks to wait. It is tried again. */
  | { kind: 'offline' }
  | { kind: 'refused'; refusal: Refusal };

/** A submission as the API returns it. */
export interface Saved {
  token: string | null;
  isComplete: boolean;
  jsonData: string;
  currentPage: number;
  /** What the link permits whose token was used. */
  linkRight?: 'view' | 'edit' | 'continue';
}

/** Waits between attempts, in milliseconds. */
const waits = [1_000, 2_000, 4_000, 8_000, 15_000];
/** A token is valid for at least this long after its last use. */
const tokenMs = 3_600_000;

/** Sends a draft until the server has all of it, one request after another. */
export class Sender {
  #isSending = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly formId: string,
    readonly draft: Draft,
    private readonly store: DraftStore,
    private readonly onProgress: (progress: Progress) => void,
  ) {
    addEventListener('online', () => this.send());
  }

  /** Keeps what was typed. `send` sends it. */
  keep(changes: Partial<Pick<Draft, 'jsonData' | 'currentPage' | 'isComplete'>>): void {
    Object.assign(this.draft, changes, { isUnsent: true });
    this.store.write(this.draft);
  }

  /** Sends the draft, now and after each failure that may pass. */
  send(): void {
    if (this.#isSending || !this.draft.isUnsent) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    void this.store
      .alone(() => this.#sendAll())
      .then(
        (progress) => {
          this.#failures = 0;
          return progress;
        },
        (error: unknown): Progress => {
          if (error instanceof Refusal && !error.isForNow) return { kind: 'refused', refusal: error };
          const wait = waits[Math.min(this.#failures, waits.length - 1)];
          this.#failures += 1;
          this.#timer = setTimeout(() => this.send(), wait);
          return { kind: 'offline' };
        },
      )
      .then((progress) => {
        this.#isSending = false;
        this.onProgress(progress);
      });
  }

  async #sendAll(): Promise<Progress> {
    const { draft } = this;
    if (this.store.isTaken()) return { kind: 'complete' };
    // Another tab may have begun.
    const { token, create, sent: known } = this.store.read() ?? draft;
    Object.assign(draft, { token, create, sent: known });
    while (draft.isUnsent) {
      const sent = bodyOf(draft);
      const saved = draft.token === null ? await this.#create(sent) : await this.#save(draft.token, sent);
      if (saved === 'complete' || (saved !== null && saved.isComplete)) {
        draft.isUnsent = false;
        this.store.clear();
        return { kind: 'complete' };
      }
      if (saved === null) continue;
      draft.usedAt = Date.now();
      draft.token = saved.token ?? draft.token;
      this.store.write(draft);
    }
    return { kind: 'sent' };
  }

  /**
   * Creates the submission, or resumes the open one of the person, which another device may have. A create
   * whose response was lost is repeated as it was, with the same key.
   */
  async #create(body: string): Promise<Saved | null> {
    const { draft, formId } = this;
    // It may resume: the answers of the other device would be lost with the completion.
    draft.create ??= {
      key: newKey(),
      body: caller.token === null ? body : bodyOf({ ...draft, isComplete: false }),
    };
    this.store.write(draft);
    const { key, body: first } = draft.create;
    try {
      const headers = { ...(await challengeHeaders(formId)), 'Idempotency-Key': key };
      const saved = await call<Saved>('POST', `/api/forms/${formId}/submissions`, { body: first, headers });
      draft.create = null;
      const { jsonData: created } = JSON.parse(first) as { jsonData: string };
      const sent = saved.jsonData === created ? created : draft.sent;
      draft.jsonData = mergedAnswers(saved.jsonData, { ...draft, sent });
      draft.sent = saved.jsonData;
      draft.isUnsent = first !== bodyOf(draft);
      return saved;
    } catch (error) {
      if (!(error instanceof Refusal) || error.isForNow) throw error;
      draft.create = null;
      this.store.write(draft);
      if (error.errorCode === 'idempotency_key_reused') return null;
      throw error;
    }
  }

  /** Saves by the token. If the token has ended, the next round creates the submission again. */
  async #save(token: string, body: string): Promise<Saved | 'complete' | null> {
    const { draft, formId } = this;
    const wasPossiblyComplete = draft.mayBeComplete;
    if (draft.isComplete) {
      draft.mayBeComplete = true;
      this.store.write(draft);
    }
    try {
      const headers = { 'X-Submission-Token': token };
      const saved = await call<Saved>('PATCH', `/api/forms/${formId}/submissions/by-token`, {
        body,
        headers,
      });
      draft.mayBeComplete = false;
      draft.sent = saved.jsonData;
      draft.isUnsent = body !== bodyOf(draft);
      return saved;
    } catch (error) {
      if (!(error instanceof Refusal) || error.isForNow) throw error;
      draft.mayBeComplete = false;
      if (error.status !== 404 || draft.isLink) throw error;
      // The token ends when the submission is complete: here, without a response, or by another page.
      if (wasPossiblyComplete && (await this.#isDone())) return 'complete';
      if (this.store.isTaken()) return 'complete';
      draft.token = null;
      this.store.write(draft);
      return null;
    }
  }

  /** Returns whether the submission is complete. Without an account, only the end of the token shows it. */
  async #isDone(): Promise<boolean> {
    if (caller.token === null) return Date.now() - this.draft.usedAt < tokenMs;
    const { state } = await call<{ state: string }>('GET', `/api/public/forms/${this.formId}/state`);
    return state === 'done';
  }
}

const bodyOf = ({ jsonData, currentPage, isComplete }: Draft): string =>
  JSON.stringify({ jsonData, currentPage, ...(isComplete && { isComplete }) });

/** 144 random bits. `crypto.randomUUID` is missing without https. */
const newKey = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))).replace(/[+/]/g, (character) =>
    character === '+' ? '-' : '_',
  );

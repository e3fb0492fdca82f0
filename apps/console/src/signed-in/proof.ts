/** The last proof of this page. */
let kept: { text: string; until: number } | null = null;
/** Ends the question that is shown; null: none is. */
let answer: ((isProved: boolean) => void) | null = null;
let asking: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function become(next: typeof answer): void {
  answer = next;
  listeners.forEach((listener) => listener());
}

/** Fresh proofs of the user, which the API wants before changes of how others sign in. */
export const proof = {
  /** Returns the text for the header `X-Canvass-Proof`, while it is valid. */
  header: (): string | null => (kept !== null && kept.until > Date.now() ? kept.text : null),

  /** Asks the user, once for all requests that wait. False if the user does not want to. */
  ask(): Promise<boolean> {
    kept = null;
    asking ??= new Promise<boolean>((resolve) => become(resolve)).finally(() => (asking = null));
    return asking;
  },

  isAsked: (): boolean => answer !== null,

  /** Ends the question, with what the API answered or null. */
  end(made: { proof: string; expiresAtUtc: string } | null): void {
    if (made !== null) kept = { text: made.proof, until: Date.parse(made.expiresAtUtc) };
    answer?.(made !== null);
    become(null);
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

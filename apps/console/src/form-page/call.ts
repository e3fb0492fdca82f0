import { pathPrefix } from '../base';

/** A refusal of the API. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly errorCode: string,
    detail: string,
  ) {
    super(detail);
  }

  /** Returns whether the same request can succeed later. */
  get isForNow(): boolean {
    const isRepeatable = this.status >= 500 || [408, 429].includes(this.status);
    return isRepeatable || (this.status === 401 && caller.token !== null) || this.errorCode === 'conflict';
  }
}

/** The one who has signed in: the access token, and a name for the drafts of this person. */
export const caller: { token: (() => Promise<string>) | null; forget(token: string): void; owner: string } = {
  token: null,
  forget: () => undefined,
  owner: '',
};

/** The longest wait for a response, after which the request is repeated. */
const timeoutMs = 30_000;

/**
 * Calls the API.
 *
 * @throws {Refusal} for a problem; another error if there was no response
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<T> {
  const token = (await caller.token?.()) ?? null;
  const response = await fetch(pathPrefix + path, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as T & { errorCode?: string; detail?: string; title?: string };
  if (response.ok) return answer;
  if (response.status === 401 && token !== null) caller.forget(token);
  throw new Refusal(response.status, answer.errorCode ?? '', answer.detail ?? answer.title ?? '');
}

interface Challenge {
  type: 'none' | 'proof-of-work' | 'verifier';
  challenge: string | null;
  bits: number | null;
}

/** Begins a challenge of the form. */
export const beginChallenge = (formId: string): Promise<Challenge> =>
  call('POST', `/api/public/forms/${formId}/challenges`);

/** The headers of a create that answer a challenge. */
export async function challengeHeaders(formId: string): Promise<Record<string, string>> {
  if (caller.token !== null) return {}; // only anonymous creates need one
  const { type, challenge, bits } = await beginChallenge(formId);
  if (type !== 'proof-of-work') return {};
  for (let number = 0; ; number += 1) {
    const text = `${challenge}.${number}`;
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    if (Math.clz32(new DataView(hash).getUint32(0)) >= bits!) return { 'X-Challenge-Response': text };
  }
}

import { Fault, faultOf, noAnswer } from '../api';

/**
 * `starting`: a session of the cookie is looked for. `unreachable`: there was no answer to that. `expired`:
 * the session ended while someone worked; requests wait for the next sign-in.
 */
export type SessionState = 'starting' | 'unreachable' | 'signed-out' | 'signed-in' | 'expired';

/** Body of a sign-in. */
export interface Credentials {
  email: string;
  password: string;
  /** Id or name; needed if the same address and password are in several tenants. */
  tenant?: string;
  /** Of the second factor. */
  code?: string;
}

interface AccessToken {
  accessToken: string;
  expiresAtUtc: string;
}

const path = '/api/auth/session';
/** A token that ends so soon is renewed before it is used. Milliseconds. */
const margin = 30_000;
/** How often, and after how many milliseconds, a refresh that another tab overtook is repeated. */
const races = { most: 12, pause: 1_000 };

/**
 * The session of the browser. The refresh token is in a cookie that no script can read. The access token is
 * in this closure only: never in storage, in a URL or in a log.
 */
export function createSession() {
  let state: SessionState = 'starting';
  let token: { text: string; endsAt: number } | null = null;
  /** Whose page this is, from the first sign-in to the sign-out. */
  let subject: string | null = null;
  let signIns: (() => void)[] = [];
  const listeners = new Set<() => void>();
  const tabs = new BroadcastChannel('canvass-session');

  const become = (next: SessionState): void => {
    if (next !== 'signed-in') token = null;
    if (next === 'signed-out') subject = null;
    state = next;
    if (next === 'signed-in') {
      const waiting = signIns;
      signIns = [];
      waiting.forEach((resume) => resume());
    }
    listeners.forEach((listener) => listener());
  };
  const keep = ({ accessToken, expiresAtUtc }: AccessToken): void => {
    const own = subjectOf(accessToken);
    if (subject !== null && own !== subject) {
      // Requests of the other user wait on this page: none of them may be sent with this token.
      location.replace('/console/?notice=other-user');
      return;
    }
    subject = own;
    token = { text: accessToken, endsAt: Date.parse(expiresAtUtc) };
    become('signed-in');
  };
  const isFresh = () => token !== null && token.endsAt - Date.now() > margin;

  /**
   * Exchanges the cookie. One tab at a time, so that none uses a cookie that another has already spent. A
   * window of another browser profile or a lost answer can still lead to a race.
   */
  const renew = () =>
    navigator.locks.request('canvass-session', async () => {
      if (isFresh()) return;
      for (let race = 1; ; race += 1) {
        const response = await post(`${path}/refresh`);
        if (response.ok) return keep((await response.json()) as AccessToken);
        const fault = await faultOf(response);
        if (fault.code !== 'refresh_raced' || race === races.most) throw fault;
        await new Promise((resume) => setTimeout(resume, races.pause));
      }
    });

  tabs.addEventListener('message', ({ data }) => {
    if (data === 'ended') become('signed-out');
    else if (data === 'started' && state === 'signed-out') void start();
  });

  /** Looks for a session of the cookie. */
  async function start(): Promise<void> {
    become('starting');
    try {
      await renew();
    } catch (error) {
      become(error instanceof Fault && error.status === 401 ? 'signed-out' : 'unreachable');
    }
  }

  return {
    state: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,

    /**
     * @throws {Fault} `invalid_credentials`, `second_factor_required`, `tenant_required` or
     *   `too_many_requests`, or without an answer
     */
    async signIn(credentials: Credentials): Promise<void> {
      const response = await post(path, credentials);
      if (!response.ok) throw await faultOf(response);
      keep((await response.json()) as AccessToken);
      tabs.postMessage('started');
    },

    /** Ends the session here and in all tabs, also if the server cannot be reached. */
    async signOut(): Promise<void> {
      tabs.postMessage('ended');
      become('signed-out');
      await fetch(path, { method: 'DELETE' });
    },

    /**
     * An access token that is valid for a while. If the session has ended, it waits for the next sign-in.
     *
     * @throws {Fault} if there was no answer
     */
    async token(): Promise<string> {
      while (!isFresh()) {
        if (state === 'signed-in') {
          await renew().catch((error: unknown) => {
            if (!(error instanceof Fault) || error.status !== 401) throw error;
            if (state === 'signed-in') become('expired');
          });
        } else await new Promise<void>((resume) => signIns.push(resume));
      }
      return token!.text;
    },

    /** The API refused this token: the next request gets another one. */
    forget(text: string): void {
      if (token?.text === text) token = null;
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** `sub` of a JSON Web Token. */
function subjectOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return String((JSON.parse(atob(payload)) as { sub?: unknown }).sub);
}

/** @throws {Fault} without an answer */
async function post(url: string, body?: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw noAnswer();
  }
}

import { Fault, faultOf, noAnswer, readConfiguration } from '../api';
import { consolePath, ownName, pathPrefix } from '../base';
import { askForUser, post } from './calls';
import {
  callbackPath,
  hasAnswer,
  keepDeparture,
  rememberedProvider,
  rememberProvider,
  takeDeparture,
  type Departure,
} from './departure';
import type { Grant, Provider } from './provider';

/**
 * `starting`: a session of the cookie is looked for. `unreachable`: there was no answer to that. `expired`:
 * the session ended while someone worked; requests wait for the next sign-in. `handed-over`: this window was
 * opened for a sign-in only, and the page that opened it has the answer.
 */
export type SessionState =
  'starting' | 'unreachable' | 'signed-out' | 'signed-in' | 'expired' | 'handed-over';

/** Body of a sign-in. */
export interface Credentials {
  email: string;
  password: string;
  /** Id or name; needed if the same address and password are in several tenants. */
  tenant?: string;
  /** The code of the second factor. */
  code?: string;
}

interface AccessToken {
  accessToken: string;
  expiresAtUtc: string;
}

const path = '/api/auth/session';
/** A token that ends so soon is renewed before it is used. Milliseconds. */
const margin = 30_000;
/** The number of times, and after how many milliseconds, a refresh that another tab overtook is repeated. */
const races = { max: 12, pause: 1_000 };

/** The code of OpenID Connect is loaded only by those who need it. */
const loadProvider = () => import('./provider');

/** Deletes what a user typed and did not save: it ends with the session (`signed-in/forms/draft.ts`). */
function endDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith('canvass-definition ')) sessionStorage.removeItem(name);
}

/**
 * The session of the browser. Of the own sign-in, the refresh token is in a cookie that no script can read.
 * Tokens of an external provider and every access token are in this closure only: never in storage, in a URL
 * or in a log. A page that is loaded again asks the provider for new ones, without a page of the provider.
 */
export function createSession() {
  let state: SessionState = 'starting';
  let token: { text: string; endsAt: number } | null = null;
  /** The user whose page this is, from the first sign-in to the sign-out. */
  let subject: string | null = null;
  /** The tokens of an external provider; null for the own sign-in. */
  let grant: Grant | null = null;
  let refreshing: Promise<void> | null = null;
  /** The reason why the sign-in at a provider failed. */
  let refusal: Fault | null = null;
  let signIns: (() => void)[] = [];
  /** The answer to `GET /api/auth/me` of the first token, until it is taken. */
  let user: Promise<Response> | null = null;
  const listeners = new Set<() => void>();
  const tabs = new BroadcastChannel(ownName('canvass-session'));
  /** Answers of providers that came in another window. */
  const answers = new BroadcastChannel(ownName('canvass-sign-in'));

  const become = (next: SessionState): void => {
    if (next !== 'signed-in') token = null;
    if (next === 'signed-out') {
      subject = grant = user = null;
      endDrafts();
    }
    state = next;
    if (next === 'signed-in') {
      const waiting = signIns;
      signIns = [];
      waiting.forEach((resume) => resume());
    }
    listeners.forEach((listener) => listener());
  };
  /** @param answer to `GET /api/auth/me` with this token, if it was asked already */
  const keep = (accessToken: string, endsAt: number, answer?: Response): void => {
    const own = subjectOf(accessToken);
    if (subject !== null && own !== subject) {
      // Requests of the other user wait on this page: none of them may be sent with this token.
      const isConsole = location.pathname.startsWith(consolePath);
      location.replace(isConsole ? `${consolePath}/?notice=other-user` : location.href);
      return;
    }
    // The first page waits for the user: they are asked for while its code is loaded.
    if (subject === null)
      (user = answer ? Promise.resolve(answer) : askForUser(accessToken)).catch(() => undefined);
    subject = own;
    token = { text: accessToken, endsAt };
    refusal = null;
    become('signed-in');
  };
  const keepOwn = ({ accessToken, expiresAtUtc }: AccessToken) => keep(accessToken, Date.parse(expiresAtUtc));
  const isFresh = () => token !== null && token.endsAt - Date.now() > margin;

  /**
   * Exchanges the cookie. One tab at a time, so that none uses a cookie that another has already spent. A
   * window of another browser profile or a lost answer can still lead to a race.
   */
  const renewByCookie = () =>
    navigator.locks.request(ownName('canvass-session'), async () => {
      if (isFresh()) return;
      for (let race = 1; ; race += 1) {
        const response = await post(`${path}/refresh`);
        if (response.ok) return keepOwn((await response.json()) as AccessToken);
        const fault = await faultOf(response);
        if (fault.code !== 'refresh_raced' || race === races.max) throw fault;
        await new Promise((resume) => setTimeout(resume, races.pause));
      }
    });

  /** Exchanges the refresh token of a provider, once for all who wait. */
  const renewByGrant = ({ refresh }: Grant) =>
    (refreshing ??= (async () => {
      if (refresh === null) throw new Fault(401);
      grant = await refresh();
      keep(grant.accessToken, grant.endsAt);
    })().finally(() => (refreshing = null)));
  const renew = () => (grant === null ? renewByCookie() : renewByGrant(grant));

  /** Signs in with the answer of a provider, if the API accepts its token. @throws {Fault} */
  async function adopt(provider: Provider, departure: Departure, parameters: URLSearchParams): Promise<void> {
    const { arrive } = await loadProvider();
    const next = await arrive(provider, departure, parameters);
    const response = await askForUser(next.accessToken);
    if (!response.ok) throw await faultOf(response);
    rememberProvider(provider.name);
    grant = next;
    keep(next.accessToken, next.endsAt, response);
    tabs.postMessage('started');
  }

  /** Goes to a provider. This page ends. @throws {Fault} */
  async function leave(provider: Provider, mode: 'page' | 'silent'): Promise<void> {
    const { depart } = await loadProvider();
    const { url, departure } = await depart(provider, mode);
    keepDeparture(departure);
    if (mode === 'silent') location.replace(url);
    else location.assign(url);
  }

  /** The browser comes back from a provider. */
  async function comeBack(): Promise<void> {
    const parameters = new URLSearchParams(location.search);
    if (parameters.get('state')?.startsWith('window.')) {
      answers.postMessage(location.search);
      history.replaceState(null, '', callbackPath);
      become('handed-over');
      return window.close();
    }
    const departure = takeDeparture();
    const answer = new URLSearchParams(departure?.answer ?? location.search);
    history.replaceState(null, '', departure?.back ?? `${consolePath}/`);
    try {
      const provider = await providerOf(departure?.provider ?? null);
      if (departure === null || provider === null) throw new Fault(401, 'provider_refused');
      await adopt(provider, departure, answer);
    } catch (error) {
      rememberProvider(null);
      const fault = error instanceof Fault ? error : noAnswer();
      refusal = fault.code === 'interaction_required' && departure?.mode === 'silent' ? null : fault;
      become('signed-out');
    }
  }

  tabs.addEventListener('message', ({ data }) => {
    if (data === 'ended') become('signed-out');
    else if (data === 'started' && state === 'signed-out') void start();
  });

  // The page was left for a provider, and the user pressed Back there.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && state === 'starting') location.reload();
  });

  /** Looks for a session: the answer of a provider, its session, or the cookie of the own sign-in. */
  async function start(): Promise<void> {
    // The page that says so stays while it tries again.
    if (state !== 'unreachable') become('starting');
    if (location.pathname === callbackPath || hasAnswer()) return comeBack();
    try {
      const provider = await providerOf(rememberedProvider());
      if (provider !== null) return await leave(provider, 'silent');
      await renew();
    } catch (error) {
      // 404: an installation without a sign-in of its own.
      const isOver = error instanceof Fault && [401, 404].includes(error.status);
      become(isOver ? 'signed-out' : 'unreachable');
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
      rememberProvider(null);
      grant = null;
      keepOwn((await response.json()) as AccessToken);
      tabs.postMessage('started');
    },

    /** The reason why the last sign-in at a provider failed, if it did. */
    refusal: () => refusal,

    /** Signs in at a provider: this page goes there. @throws {Fault} */
    async signInAt(provider: Provider): Promise<void> {
      refusal = null;
      become('starting');
      try {
        await leave(provider, 'page');
      } catch (error) {
        refusal = error as Fault;
        become('signed-out');
      }
    },

    /**
     * Signs in at a provider in another window, so that this page stays as it is.
     *
     * @throws {Fault} `window_blocked`, or as the provider answers
     */
    async signInBeside(provider: Provider): Promise<void> {
      // At once: browsers open windows only while they handle a click.
      const beside = window.open('', 'canvass-sign-in', 'popup,width=520,height=720');
      if (beside === null) throw new Fault(401, 'window_blocked');
      const { depart } = await loadProvider();
      const { url, departure } = await depart(provider, 'window');
      const answer = new Promise<URLSearchParams>((resolve) => {
        const listen = ({ data }: MessageEvent) => {
          const parameters = new URLSearchParams(String(data));
          if (parameters.get('state') !== departure.state) return;
          answers.removeEventListener('message', listen);
          resolve(parameters);
        };
        answers.addEventListener('message', listen);
      });
      beside.location.href = url;
      await adopt(provider, departure, await answer);
    },

    /**
     * Ends the session here and in all tabs, also if the server cannot be reached. A provider may show a
     * page on which it ends its own session.
     */
    async signOut(): Promise<void> {
      const ended = grant;
      rememberProvider(null);
      tabs.postMessage('ended');
      become('signed-out');
      // The request continues if the user closes the page at once.
      if (ended === null) await fetch(pathPrefix + path, { method: 'DELETE', keepalive: true });
      else {
        const page = await ended.end();
        if (page !== null) location.assign(page);
      }
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

    /** The answer of the API about the user when the session began; null if it was taken before. */
    takeUser(): Promise<Response> | null {
      const taken = user;
      user = null;
      return taken;
    },

    /** The API refused this token: the next request gets another one. */
    forget(text: string): void {
      if (token?.text === text) token = null;
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** A provider by its name; null if it is not configured. @throws {Fault} */
async function providerOf(wanted: string | null): Promise<Provider | null> {
  if (wanted === null) return null;
  const { signInProviders } = await readConfiguration();
  return signInProviders.find(({ name }) => name === wanted) ?? null;
}

/** Issuer and subject of a JSON Web Token: subjects of two issuers may be the same. */
function subjectOf(token: string): string {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { iss, sub } = JSON.parse(atob(payload)) as { iss?: unknown; sub?: unknown };
  return JSON.stringify([iss, sub]);
}

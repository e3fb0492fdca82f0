import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';

export interface OpenIdConnectOptions {
  /** `keycloak`: an issuer with a realm in its path and the claims of Keycloak. */
  shape: 'plain' | 'keycloak';
  /** `aud` of the access tokens. */
  audience: string;
  /**
   * Users: claims by login, which is the `sub`. In the Keycloak shape `roles` and `clientRoles` become its
   * role claims.
   */
  people: Record<string, Record<string, unknown>>;
  /** Of access and ID tokens, default 3600. */
  tokenSeconds?: number;
  /** Default false. */
  hasRefreshTokens?: boolean;
}

export interface OpenIdConnectProvider {
  issuer: string;
  /** Signs in as a browser does: authorization code with PKCE, login page, consent page, token endpoint. */
  signIn(login: string): Promise<{ accessToken: string; idToken: string }>;
  /** Lets the web console at the base URL of a gateway sign people in, with the client `forms`. */
  admit(gatewayUrl: string): Promise<void>;
  /** Signs with a new key from now on. The old key stays published. */
  rotate(): Promise<void>;
  /** Stops listening until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an OpenID Connect server in its own process, on a free loopback port. */
export async function openIdConnectProvider(options: OpenIdConnectOptions): Promise<OpenIdConnectProvider> {
  const child = fork(path.join(__dirname, 'provider-process.mjs'), [JSON.stringify(options)], {
    execArgv: [],
    stdio: 'ignore',
  });
  const { issuer } = (await answerOf(child)) as { issuer: string };
  const send = async (what: 'rotate' | 'stop' | 'start' | 'admit', gatewayUrl?: string) => {
    child.send({ do: what, gatewayUrl });
    await answerOf(child);
  };
  return {
    issuer,
    signIn: (login) => signIn(issuer, login),
    admit: (gatewayUrl) => send('admit', gatewayUrl),
    rotate: () => send('rotate'),
    stop: () => send('stop'),
    start: () => send('start'),
    async close() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The OpenID Connect server ended.');
  });
  ended.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return message;
}

const redirectUri = 'http://127.0.0.1/callback';

async function signIn(issuer: string, login: string) {
  const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  const verifier = randomBytes(32).toString('base64url');
  const authorization = new URL(metadata['authorization_endpoint']!);
  authorization.search = new URLSearchParams({
    client_id: 'forms',
    response_type: 'code',
    scope: 'openid forms',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const response = await fetch(metadata['token_endpoint']!, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'forms',
      redirect_uri: redirectUri,
      code: await authorizationCode(authorization, login),
      code_verifier: verifier,
    }),
  });
  const tokens = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(JSON.stringify(tokens));
  return { accessToken: tokens['access_token']!, idToken: tokens['id_token']! };
}

/** Follows the redirects with cookies, as a browser does, and submits the login and consent pages. */
async function authorizationCode(authorization: URL, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = authorization;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split(/=(.*)/);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location === null) {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (prompt === undefined)
        throw new Error(`${url.pathname} answered ${response.status}: ${page.slice(0, 500)}`);
      form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) });
      continue;
    }
    form = undefined;
    url = new URL(location, url);
    if (url.href.startsWith(redirectUri)) return url.searchParams.get('code')!;
  }
  throw new Error('The sign-in did not end after 20 requests.');
}

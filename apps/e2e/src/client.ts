import { stackFile } from './stack';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** A client of the gateway that speaks JSON. It throws only when there is no answer at all. */
export interface Client {
  /** Undefined for an anonymous one. */
  token: string | undefined;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** As `call`, but any status other than the expected one is an error that shows the answer. */
  expect<T = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T>;
}

export function clientOf(gatewayUrl: string, token?: string): Client {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(gatewayUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : text) as T,
    };
  };
  return {
    token,
    call,
    async expect<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
      const answer = await call<T>(method, path, body);
      if (answer.status === status) return answer.body;
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
  };
}

/** The callers of the tests, each signed in through the gateway. */
export interface Callers {
  gatewayUrl: string;
  anonymous: Client;
  admin: Client;
  /** Administrator of another tenant. */
  stranger: Client;
  /** A service account with the role Integration. */
  integration: Client;
}

export async function signIn(): Promise<Callers> {
  const { gatewayUrl, demo } = await stackFile();
  const anonymous = clientOf(gatewayUrl);
  const login = async (email: string, password: string) => {
    const path = '/api/auth/login';
    const answer = await anonymous.expect<{ accessToken: string }>(200, 'POST', path, { email, password });
    return clientOf(gatewayUrl, answer.accessToken);
  };
  return {
    gatewayUrl,
    anonymous,
    admin: await login(demo.adminEmail, demo.adminPassword),
    stranger: await login(demo.otherTenant.adminEmail, demo.otherTenant.adminPassword),
    integration: clientOf(gatewayUrl, await clientCredentials(gatewayUrl, demo.serviceAccount)),
  };
}

/** OAuth 2 client credentials, form-encoded. */
async function clientCredentials(
  gatewayUrl: string,
  account: { clientId: string; clientSecret: string },
): Promise<string> {
  const response = await fetch(`${gatewayUrl}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account.clientId,
      client_secret: account.clientSecret,
    }),
  });
  if (!response.ok) throw new Error(`No token for ${account.clientId}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/**
 * A JSON client of the gateway. `call` throws only without a response, the others also for an unexpected
 * status.
 */
export interface Client {
  /** Access token; undefined for an anonymous client. */
  token: string | undefined;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  expect<T = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T>;
  /** Works like `expect`, for any 2xx status. */
  send<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
}

/** Creates a client of the gateway at this URL. Requests time out after two minutes by default. */
export function clientOf(gatewayUrl: string, token?: string, timeoutMs = 120_000): Client {
  const call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>> => {
    const response = await fetch(gatewayUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : text) as T,
    };
  };
  const expectIf = async <T>(
    wanted: (status: number) => boolean,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const answer = await call<T>(method, path, body);
    if (wanted(answer.status)) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const succeeded = (status: number) => status >= 200 && status < 300;
  return {
    token,
    call,
    expect: (status, method, path, body) => expectIf((found) => found === status, method, path, body),
    send: (method, path, body) => expectIf(succeeded, method, path, body),
    get: (path) => expectIf(succeeded, 'GET', path),
    post: (path, body) => expectIf(succeeded, 'POST', path, body),
    put: (path, body) => expectIf(succeeded, 'PUT', path, body),
    patch: (path, body) => expectIf(succeeded, 'PATCH', path, body),
  };
}

/**
 * Signs a user in and returns the access token.
 *
 * @param tenant id or name; only users that the operator made, or that proved their mailbox, need none
 */
export async function login(
  gatewayUrl: string,
  email: string,
  password: string,
  tenant?: string,
): Promise<string> {
  const body = { email, password, ...(tenant !== undefined && { tenant }) };
  return (await clientOf(gatewayUrl).post<{ accessToken: string }>('/api/auth/login', body)).accessToken;
}

/** The header with which an administrator proves to know the password. */
export async function proofOf(client: Client, currentPassword: string): Promise<Record<string, string>> {
  const { proof } = await client.post<{ proof: string }>('/api/auth/me/proof', { currentPassword });
  return { 'x-canvass-proof': proof };
}

/**
 * Signs a service account in (OAuth 2 client credentials, RFC 6749 section 4.4) and returns the access token.
 */
export async function clientCredentials(
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
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`No token for ${account.clientId}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** A few lines over fetch: the demo speaks to Canvass only as any client would, through the gateway. */

export interface Client {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
}

/** @param bearer access token, or undefined for an anonymous caller. Any answer but 2xx throws with its problem. */
export function clientOf(gatewayUrl: string, bearer?: string): Client {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(gatewayUrl + path, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
  };
}

/** Signs a person in. */
export async function login(gatewayUrl: string, email: string, password: string): Promise<string> {
  const answer = await clientOf(gatewayUrl).post<{ accessToken: string }>('/api/auth/login', {
    email,
    password,
  });
  return answer.accessToken;
}

/** Signs an integration in (OAuth 2 client credentials, RFC 6749 section 4.4). */
export async function clientCredentials(
  gatewayUrl: string,
  clientId: string,
  clientSecret: string,
): Promise<string> {
  const response = await fetch(`${gatewayUrl}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  if (!response.ok) throw new Error(`POST /api/auth/token answered ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

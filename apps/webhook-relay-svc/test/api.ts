import type { Harness } from './harness';

/** Calls of the relay's API as an administrator of a tenant, or as another role. */
export function api(
  world: Pick<Harness, 'issuer'>,
  url: string,
  { tenantId }: { tenantId: string },
  roles: readonly string[] = ['Admin'],
) {
  const authorization = `Bearer ${world.issuer.token({ tid: tenantId, roles })}`;
  async function call(method: string, path: string, status: number, body?: object, headers: object = {}) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
  return {
    get: (path: string, status = 200) => call('GET', path, status),
    post: (path: string, status = 200, body?: object, headers?: Record<string, string>) =>
      call('POST', path, status, body, headers),
    put: (path: string, status: number, body: object, headers?: Record<string, string>) =>
      call('PUT', path, status, body, headers),
    patch: (path: string, status: number, body: object) => call('PATCH', path, status, body),
  };
}

/** A RabbitMQ by its management API. */
export interface BrokerManagement {
  /**
   * Sends a request; `path` is relative to `/api`. Returns the parsed JSON, or null for an empty body.
   *
   * @throws {Error} with the status if it is not 2xx
   */
  api(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Creates a virtual host that the login may use. */
  createVirtualHost(name: string): Promise<void>;
}

/** Returns the management API. @param url its base URL with the login */
export function brokerManagement(url: string): BrokerManagement {
  const { origin, username, password } = new URL(url);
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const api: BrokerManagement['api'] = async (method, path, body) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      // Reading removes messages from a queue, so a response that is late would be lost.
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
  const everything = { configure: '.*', write: '.*', read: '.*' };
  return {
    api,
    async createVirtualHost(name) {
      await api('PUT', `/vhosts/${name}`, {});
      await api('PUT', `/permissions/${name}/${encodeURIComponent(user)}`, everything);
    },
  };
}

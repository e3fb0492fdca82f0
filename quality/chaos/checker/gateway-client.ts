import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Outcome } from '../records';

/** What became of a request. `body` is null where there is no JSON. */
export interface Reply {
  outcome: Outcome;
  status: number | null;
  body: Record<string, unknown> | null;
  /** The answer was given before, to the same `Idempotency-Key`. */
  replayed: boolean;
  sentAt: number;
  doneAt: number;
}

export type Caller = 'anonymous' | 'admin' | 'integration';

/** Logins of the callers. */
export interface Logins {
  adminEmail: string;
  adminPassword: string;
  clientId: string;
  clientSecret: string;
}

/** Speaks to the gateway over connections that are kept, as any client would; never tries twice by itself. */
export class GatewayClient {
  private readonly pool: Pool;
  private readonly bearers = new Map<Caller, string>();

  constructor(
    gatewayUrl: string,
    private readonly logins: Logins,
    connections: number,
  ) {
    this.pool = new Pool(gatewayUrl, {
      connections,
      headersTimeout: 12_000,
      bodyTimeout: 12_000,
      connectTimeout: 2_000,
    });
  }

  async send(
    caller: Caller,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const bearer = this.bearers.get(caller);
    const sentAt = Date.now();
    try {
      const answer = await this.pool.request({
        method,
        path,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      const outcome = status < 300 ? 'acknowledged' : status < 500 ? 'refused' : 'unknown';
      const replayed = answer.headers['idempotency-replayed'] === 'true';
      return { outcome, status, body: objectOf(text), replayed, sentAt, doneAt: Date.now() };
    } catch {
      return noAnswer(sentAt);
    }
  }

  /** Signs admin and integration in, as often as it takes. Tokens are renewed by calling it again. */
  async signIn(signal: AbortSignal): Promise<void> {
    const { adminEmail, adminPassword, clientId, clientSecret } = this.logins;
    await this.fetchToken('admin', 'accessToken', signal, () =>
      this.send('anonymous', 'POST', '/api/auth/login', { email: adminEmail, password: adminPassword }),
    );
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    await this.fetchToken('integration', 'access_token', signal, () => this.requestToken(basic));
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async requestToken(authorization: string): Promise<Reply> {
    const sentAt = Date.now();
    try {
      const answer = await this.pool.request({
        method: 'POST',
        path: '/api/auth/token',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
      const body = objectOf(await answer.body.text());
      const { statusCode: status } = answer;
      const outcome = status < 300 ? 'acknowledged' : 'unknown';
      return { outcome, status, body, replayed: false, sentAt, doneAt: Date.now() };
    } catch {
      return noAnswer(sentAt);
    }
  }

  private async fetchToken(
    caller: Caller,
    member: string,
    signal: AbortSignal,
    ask: () => Promise<Reply>,
  ): Promise<void> {
    while (!signal.aborted) {
      const { body } = await ask();
      const token = body?.[member];
      if (typeof token === 'string') {
        this.bearers.set(caller, token);
        return;
      }
      await sleep(300);
    }
  }
}

const noAnswer = (sentAt: number): Reply => ({
  outcome: 'unknown',
  status: null,
  body: null,
  replayed: false,
  sentAt,
  doneAt: Date.now(),
});

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

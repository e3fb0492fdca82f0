import { LRUCache } from 'lru-cache';
import type { Credentials } from '../endpoints';
import { SendFault, type Outcome } from './outcome';

type Client = NonNullable<Credentials['oauth2']>;

interface Token {
  value: string;
  /** By `performance.now()`. */
  usableUntil: number;
}

/** Access tokens of endpoints with OAuth2, by client credentials (RFC 6749, section 4.4). */
export type Tokens = ReturnType<typeof createTokens>;

const maxTokens = 10_000;
/** A token that does not say how long it is good. A 401 replaces it anyway. */
const defaultSeconds = 300;
const marginMs = 30_000;

/** How long a token may be waited for. */
interface Wait {
  timeoutMs: number;
  /** Aborts when the process stops: all that wait for one request have the same. */
  stop: AbortSignal;
}

/** `Sender.send`. */
type Send = (
  request: { url: string; headers: Record<string, string>; body: Buffer },
  stop: AbortSignal,
  timeoutMs: number,
) => Promise<{ outcome: Outcome; statusCode: number | null; error: string | null; responseBody: Buffer }>;

export function createTokens(send: Send) {
  const known = new LRUCache<string, Promise<Token>>({ max: maxTokens });

  async function request(client: Client, { timeoutMs, stop }: Wait): Promise<Token> {
    const { tokenUrl, clientId, clientSecret, scope } = client;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
      Authorization: `Basic ${basicOf(clientId, clientSecret)}`,
    };
    const startedAt = performance.now();
    const body = Buffer.from(form.toString());
    const answer = await send({ url: tokenUrl, headers, body }, stop, timeoutMs);
    // Not the words of the answer, which may have secrets.
    if (answer.outcome === 'proxy_error') throw new SendFault('proxy_error', answer.error ?? '');
    if (answer.outcome !== 'success')
      throw new SendFault('token_error', `the token URL: ${answer.statusCode ?? answer.outcome}`);
    const { access_token: value, token_type: type, expires_in: seconds } = jsonOf(answer.responseBody);
    if (typeof value !== 'string' || value === '' || !/^[\x21-\x7e]+$/.test(value))
      throw new SendFault('token_error', 'the token URL answered without an access_token');
    if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
      throw new SendFault('token_error', 'the token URL answered with another type than Bearer');
    const goodMs = 1000 * (Number(seconds) > 0 ? Number(seconds) : defaultSeconds);
    return { value, usableUntil: startedAt + Math.max(goodMs - marginMs, goodMs / 2) };
  }

  return {
    /**
     * The token of an endpoint. Deliveries that need one at the same time wait for one request.
     *
     * @param endpoint its tenant and id, since the same client may be another one elsewhere
     * @param refused a token that the receiver answered with 401, which is not given again
     * @throws {SendFault} `token_error`, `proxy_error`; the reason of `stop` if it aborts
     */
    async of(endpoint: string, client: Client, wait: Wait, refused?: string): Promise<string> {
      const key = `${endpoint}\n${JSON.stringify(client)}`;
      const held = known.get(key);
      const token = await held?.catch(() => undefined);
      if (token && token.value !== refused && performance.now() < token.usableUntil) return token.value;
      // Another delivery may have asked since.
      const asked = known.get(key);
      if (asked && asked !== held) return (await asked).value;
      const asking = request(client, wait);
      known.set(key, asking);
      asking.catch(() => {
        if (known.peek(key) === asking) known.delete(key);
      });
      return (await asking).value;
    },
  };
}

/** Both parts are encoded as in a form (RFC 6749, section 2.3.1). */
function basicOf(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ a: text }).toString().slice(2);
  return Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64');
}

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

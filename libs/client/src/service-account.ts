import { createCanvass, type CanvassOptions } from './canvass';
import { dataOf } from './data-of';
import type { TokenSource } from './token-source';

export interface ServiceAccount extends Pick<CanvassOptions, 'baseUrl' | 'fetch' | 'retry'> {
  clientId: string;
  clientSecret: string;
}

/** A token is replaced so many milliseconds before it expires. */
const marginMs = 60_000;

/** The tokens of a service account (RFC 6749, section 4.4). Each is used until shortly before it expires. */
export function serviceAccount({ clientId, clientSecret, ...options }: ServiceAccount): TokenSource {
  const canvass = createCanvass(options);
  let current: { token: Promise<string>; until: number } | null = null;

  async function fetchToken(): Promise<string> {
    const { access_token: token, expires_in: seconds } = await dataOf(
      canvass.POST('/api/auth/token', {
        body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      }),
    );
    if (current !== null) current.until = Date.now() + Math.max(seconds * 1000 - marginMs, seconds * 500);
    return token;
  }

  return {
    get() {
      if (current === null || Date.now() > current.until) {
        const token = fetchToken();
        const fetched = (current = { token, until: Infinity });
        token.catch(() => {
          if (current === fetched) current = null;
        });
      }
      return current.token;
    },
    forget: () => void (current = null),
  };
}

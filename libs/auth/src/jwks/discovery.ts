import { isRecord } from '../token-text';
import { fetchJson, type Fetch } from './fetch-json';

/**
 * The address of the key set from the issuer's metadata (OpenID Connect Discovery 1.0, section 4). The
 * document must name the issuer it was requested from and must not lead from https to http. Throws a plain
 * Error.
 */
export async function discoverJwksUri(fetch: Fetch, issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const document = await fetchJson(fetch, url);
  if (!isRecord(document) || document['issuer'] !== issuer) {
    throw new Error(`${url} describes another issuer`);
  }
  const uri = document['jwks_uri'];
  const allowed = issuer.startsWith('https:') ? /^https:\/\// : /^https?:\/\//;
  if (typeof uri !== 'string' || !allowed.test(uri)) throw new Error(`${url} has no usable jwks_uri`);
  return uri;
}

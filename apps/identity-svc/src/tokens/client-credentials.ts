import { recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import { credentialsByClientId, noteUse, secretMatches } from '../service-accounts';
import { issueAccessToken } from './access-token';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { ownActor } from './own-actor';
import { noAccount, recordRefusal } from './record-refusal';
import { guardSignIn } from './sign-in-attempts';

/** The errors of RFC 6749, section 5.2, that this endpoint returns. */
type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type';

/** The response of RFC 6749: section 5.1, or 5.2 with `error`. */
export type TokenAnswer =
  | { access_token: string; token_type: 'Bearer'; expires_in: number }
  | { error: OAuthError; error_description: string };

const refusal = (error: OAuthError, error_description: string): TokenAnswer => ({ error, error_description });

/**
 * OAuth 2 client credentials (RFC 6749, section 4.4). The client authenticates with Basic or with form
 * fields, not with both. Throws a 429 Problem after too many failures.
 */
export async function clientCredentials(
  deps: TokenDeps,
  form: Record<string, unknown>,
  authorization: string | undefined,
  caller: Client,
): Promise<TokenAnswer> {
  const { grant_type: grant, client_id: id, client_secret: secret } = form;
  if (Object.values(form).some((value) => typeof value !== 'string')) {
    return refusal('invalid_request', 'Each parameter must be text and may occur once.');
  }
  if (!grant) return refusal('invalid_request', 'The parameter grant_type is missing.');
  if (grant !== 'client_credentials') {
    return refusal('unsupported_grant_type', 'Only client_credentials is supported here.');
  }
  const basic = authorization === undefined ? undefined : basicCredentials(authorization);
  if (basic && (secret !== undefined || (id !== undefined && id !== basic.id))) {
    return refusal('invalid_request', 'Authenticate with Basic or with client_secret, not with both.');
  }
  const client = authorization === undefined ? { id, secret } : basic;
  if (!client?.id || !client.secret) return refusal('invalid_client', 'The client did not authenticate.');
  return tokenFor(deps, { id: String(client.id), secret: String(client.secret) }, caller);
}

async function tokenFor(
  deps: TokenDeps,
  client: { id: string; secret: string },
  caller: Client,
): Promise<TokenAnswer> {
  const { db, settings } = deps;
  try {
    // No limit for the account: its secret cannot be guessed, and a limit would let any client lock it.
    return await guardSignIn(db, settings.SignIn, { names: [], client: caller }, async () => {
      const account = await credentialsByClientId(db, client.id);
      if (!secretMatches(account?.secretHashes ?? [], client.secret) || !account)
        throw new Problem('invalid_credentials');
      const { tenantId, id } = account;
      await db.transaction(async (tx) => {
        await noteUse(tx, tenantId, id);
        await recordAudit(tx, {
          tenantId,
          object: ['service_account', id],
          actor: ownActor('service', id),
        });
      });
      const { token, expiresInSeconds } = issueAccessToken(deps, { kind: 'service', ...account });
      return {
        result: { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds } as const,
      };
    });
  } catch (err) {
    if (!(err instanceof Problem) || err.errorCode !== 'invalid_credentials') throw err;
    const account = (await credentialsByClientId(db, client.id)) ?? noAccount;
    await recordRefusal(db, { action: 'token.refused', type: 'service_account' }, [account]);
    return refusal('invalid_client', 'The client is unknown or its secret is wrong.');
  }
}

/** Basic credentials, each part form-encoded (RFC 6749, section 2.3.1); undefined for any other header. */
function basicCredentials(authorization: string): { id: string; secret: string } | undefined {
  const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization);
  const text = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  try {
    const decode = (half: string) => decodeURIComponent(half.replaceAll('+', ' '));
    const client = { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
    return client.id.includes('\0') ? undefined : client; // Postgres cannot store NUL
  } catch {
    return undefined;
  }
}

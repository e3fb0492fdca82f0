import * as oauth from 'oauth4webapi';
import { Fault, noAnswer, type Configuration } from '../api';
import { consolePath } from '../base';
import { callbackPath, type Departure } from './departure';

/** Loaded only when a user signs in at a provider of OpenID Connect. */

export type Provider = Configuration['signInProviders'][number];

/** Tokens of a provider. They are in memory only. */
export interface Grant {
  accessToken: string;
  /** Milliseconds since 1970. */
  endsAt: number;
  /** Exchanges the refresh token; null if the provider gave none. @throws {Fault} 401 if it is used up */
  refresh: (() => Promise<Grant>) | null;
  /** Ends the grant. Returns the page on which the provider ends its own session, if it has one. */
  end(): Promise<string | null>;
}

/** Answers to `prompt=none` that only mean: the person must see a page of the provider. */
const needsPerson = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** The address that the provider sends the browser back to. */
const redirectUri = () => location.origin + callbackPath;

/** A client without a secret, because a page cannot keep one. */
const clientOf = ({ clientId }: Provider): oauth.Client => ({ client_id: clientId });

/** The configuration permits http on a loopback address only. */
const optionsOf = ({ authority }: Provider) => ({
  [oauth.allowInsecureRequests]: authority.startsWith('http:'),
});

/**
 * Begins a sign-in: authorization code with PKCE, state and nonce.
 *
 * @param mode `silent`: the provider shows no page. `window`: the answer comes back in another window
 * @returns the page of the provider to go to, and what its answer is checked against
 * @throws {Fault} if the provider does not answer
 */
export async function depart(
  provider: Provider,
  mode: Departure['mode'],
): Promise<{ url: string; departure: Departure }> {
  const server = await discovered(provider);
  const departure = {
    provider: provider.name,
    mode,
    state: `${mode}.${oauth.generateRandomState()}`,
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(server.authorization_endpoint!);
  const parameters = {
    client_id: provider.clientId,
    response_type: 'code',
    scope: provider.scope,
    redirect_uri: redirectUri(),
    state: departure.state,
    nonce: departure.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(departure.verifier),
    code_challenge_method: 'S256',
    ...(mode === 'silent' && { prompt: 'none' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, departure };
}

/**
 * Ends a sign-in: checks the answer of the provider and exchanges its code.
 *
 * @param parameters of the address that the provider sent the browser to
 * @throws {Fault} `interaction_required` if the provider wants to show a page, `provider_refused`, or without
 *   an answer
 */
export async function arrive(
  provider: Provider,
  departure: Departure,
  parameters: URLSearchParams,
): Promise<Grant> {
  const server = await discovered(provider);
  return checked(async () => {
    const client = clientOf(provider);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      oauth.validateAuthResponse(server, client, parameters, departure.state),
      redirectUri(),
      departure.verifier,
      optionsOf(provider),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: departure.nonce,
      requireIdToken: true,
    });
    return grantOf(provider, server, tokens, null);
  });
}

/** @param former the refresh token that was used: a provider may let it be used again */
function grantOf(
  provider: Provider,
  server: oauth.AuthorizationServer,
  tokens: oauth.TokenEndpointResponse,
  former: string | null,
): Grant {
  const { access_token: accessToken, id_token: idToken, expires_in: seconds = 300 } = tokens;
  const identity = provider.usesIdToken ? oauth.getValidatedIdTokenClaims(tokens) : undefined;
  const refreshToken = tokens.refresh_token ?? former;
  const client = clientOf(provider);
  return {
    accessToken: identity === undefined ? accessToken : idToken!,
    endsAt: identity === undefined ? Date.now() + seconds * 1000 : identity.exp * 1000,
    refresh:
      refreshToken === null
        ? null
        : () =>
            checked(async () => {
              const options = optionsOf(provider);
              const sent = oauth.refreshTokenGrantRequest(
                server,
                client,
                oauth.None(),
                refreshToken,
                options,
              );
              const next = await oauth.processRefreshTokenResponse(server, client, await sent);
              return grantOf(provider, server, next, refreshToken);
            }),
    async end() {
      if (refreshToken !== null && server.revocation_endpoint !== undefined) {
        // What cannot be revoked ends by itself.
        const options = optionsOf(provider);
        await oauth
          .revocationRequest(server, client, oauth.None(), refreshToken, options)
          .catch(() => undefined);
      }
      if (server.end_session_endpoint === undefined) return null;
      const page = new URL(server.end_session_endpoint);
      page.searchParams.set('client_id', provider.clientId);
      // From the page of a form no one is led to the console.
      if (location.pathname.startsWith(consolePath))
        page.searchParams.set('post_logout_redirect_uri', `${location.origin}${consolePath}/`);
      return page.href;
    },
  };
}

/** The metadata of a provider. @throws {Fault} */
function discovered(provider: Provider): Promise<oauth.AuthorizationServer> {
  return checked(async () => {
    const authority = new URL(provider.authority);
    const response = await oauth.discoveryRequest(authority, optionsOf(provider));
    return oauth.processDiscoveryResponse(authority, response);
  });
}

/** Turns what the library throws into a fault. */
async function checked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
      const code = needsPerson.includes(error.error) ? 'interaction_required' : 'provider_refused';
      throw new Fault(401, code, error.error_description ?? error.error);
    }
    // `fetch` rejects with a TypeError without a code; the errors of the library have one.
    if (error instanceof TypeError && !('code' in error)) throw noAnswer();
    throw new Fault(401, 'provider_refused', String(error instanceof Error ? error.message : error));
  }
}

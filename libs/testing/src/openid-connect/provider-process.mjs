/**
 * An OpenID Connect server (the certified `oidc-provider`). It runs in its own process, because Jest cannot
 * load this ES module. The parent sends commands over IPC: { do: 'rotate' | 'stop' | 'start' }, or
 * { do: 'admit', gatewayUrl }.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const {
  shape,
  people,
  audience,
  tokenSeconds = 3600,
  hasRefreshTokens = false,
} = JSON.parse(process.argv[2]);
const realm = shape === 'keycloak' ? '/realms/clinic' : '';
const cookieKeys = [randomBytes(16).toString('hex')];
const keys = [newKey()];
/** Base URLs of the gateways whose web consoles may sign people in. */
const gateways = [];
let answer;

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

/**
 * Access tokens as Keycloak writes them: no `at+jwt`, an audience list, roles of realm and clients, `azp`.
 */
function asKeycloak(parts, { accountId, clientId }) {
  const { roles = [], clientRoles = {}, ...claims } = people[accountId] ?? {};
  parts.header = { typ: 'JWT' };
  const { payload } = parts;
  delete payload.client_id;
  Object.assign(payload, claims, {
    aud: [audience, 'account'],
    typ: 'Bearer',
    azp: clientId,
    preferred_username: accountId,
    realm_access: { roles: ['default-roles-clinic', 'offline_access', ...roles] },
    resource_access: {
      account: { roles: ['manage-account'] },
      ...Object.fromEntries(Object.entries(clientRoles).map(([client, own]) => [client, { roles: own }])),
    },
  });
}

function provide(issuer) {
  const resource = {
    audience,
    scope: 'forms',
    accessTokenFormat: 'jwt',
    accessTokenTTL: tokenSeconds,
    jwt: { sign: { alg: 'RS256' } },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'forms',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback', ...gateways.map((url) => `${url}/console/callback`)],
        post_logout_redirect_uris: gateways.map((url) => `${url}/console/`),
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys },
    cookies: { keys: cookieKeys },
    ttl: { IdToken: tokenSeconds },
    clientBasedCORS: (_context, origin) => gateways.some((url) => new URL(url).origin === origin),
    issueRefreshToken: () => hasRefreshTokens,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: (_context, { accountId }) => (shape === 'keycloak' ? {} : people[accountId]),
    ...(shape === 'keycloak'
      ? { formats: { customizers: { jwt: (_context, token, parts) => asKeycloak(parts, token) } } }
      : {}),
    ...(realm === '' ? {} : { routes: { jwks: '/protocol/openid-connect/certs' } }),
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:canvass:api',
        useGrantedResource: () => true,
        getResourceServerInfo: () => resource,
      },
    },
  });
  answer = provider.callback();
}

const server = createServer((request, response) => {
  request.originalUrl = request.url;
  request.url = request.url.slice(realm.length) || '/';
  answer(request, response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const issuer = `http://127.0.0.1:${port}${realm}`;
  provide(issuer);
  process.send({ issuer });
  process.on('message', ({ do: what, gatewayUrl }) => {
    const done = () => process.send({ done: what });
    if (what === 'rotate') {
      keys.unshift(newKey());
      provide(issuer);
      done();
    } else if (what === 'admit') {
      gateways.push(gatewayUrl);
      provide(issuer);
      done();
    } else if (what === 'stop') {
      server.close(done);
      server.closeAllConnections();
    } else {
      server.listen(port, '127.0.0.1', done);
    }
  });
});
process.on('disconnect', () => process.exit(0));

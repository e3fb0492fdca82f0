import type { ExternalProvider } from '../src';

/*
 * Tokens as other people's providers issue them: the members are those of their documentation and source, the
 * values are made up. `iss` and `exp` are set by the test.
 */

const zitadelRoles = 'urn:zitadel:iam:org:project:roles';
const zitadelGrant = { '310101': 'clinic.zitadel.example' };
const entra = { ver: '2.0', azp: 'c11e', azpacr: '0', oid: 'b2f0', tid: '5d4c', uti: 'x1', rh: '0.AX' };

interface Profile {
  settings: Partial<ExternalProvider>;
  claims: object;
  header?: object;
  /** RSA by default. */
  key?: 'ec' | 'ed';
}

export const profiles: [name: string, profile: Profile][] = [
  [
    'Keycloak 26', // keycloak/keycloak, AccessToken.java
    {
      settings: { RoleClaim: 'realm_access.roles' },
      claims: {
        typ: 'Bearer',
        azp: 'console',
        aud: ['account', 'canvass'],
        sub: 'f81d',
        sid: 'a1',
        acr: '1',
        scope: 'openid profile',
        realm_access: { roles: ['offline_access', 'Editor'] },
        resource_access: { account: { roles: ['view-profile'] } },
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Keycloak 24 with the nonce of the sign-in', // keycloak/keycloak#26893
    {
      settings: { RoleClaim: 'resource_access.canvass.app.roles' },
      claims: {
        typ: 'Bearer',
        azp: 'canvass',
        aud: 'canvass',
        sub: 'f81d',
        nonce: 'n-0S6',
        at_hash: 'x',
        resource_access: { 'canvass.app': { roles: ['Editor'] } },
      },
    },
  ],
  [
    'authentik', // goauthentik/authentik, providers/oauth2/id_token.py
    {
      settings: { RoleClaim: 'groups' },
      claims: {
        aud: 'canvass',
        sub: 'b9e6',
        auth_time: 1,
        acr: 'goauthentik.io/providers/oauth2/default',
        amr: ['pwd'],
        nonce: 'n-0S6',
        groups: ['Editor', 'authentik Admins'],
        azp: 'canvass',
        uid: 'Jz1',
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Zitadel', // zitadel.com, Claims in ZITADEL
    {
      settings: { RoleClaim: zitadelRoles },
      claims: {
        aud: ['2871@clinic', 'canvass'],
        sub: '2850',
        jti: 'V2_1',
        nbf: 1,
        client_id: '2871@clinic',
        [zitadelRoles]: { Editor: zitadelGrant, unknown: zitadelGrant },
      },
    },
  ],
  [
    'Auth0', // auth0.com, Access Token Profiles
    {
      settings: { RoleClaim: 'https://clinic.example/claims.roles' },
      claims: {
        aud: ['canvass', 'https://clinic.eu.auth0.com/userinfo'],
        sub: 'auth0|64',
        azp: 'xL2',
        scope: 'openid',
        permissions: [],
        'https://clinic.example/claims': { roles: ['Editor'] },
      },
      header: { typ: 'at+jwt' },
    },
  ],
  [
    'Auth0 with a namespaced claim',
    {
      settings: { RoleClaim: 'https://clinic.example/roles' },
      claims: {
        aud: 'canvass',
        sub: 'auth0|64',
        gty: 'password',
        'https://clinic.example/roles': ['Editor'],
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Okta', // developer.okta.com, Access tokens
    {
      settings: { RoleClaim: 'groups' },
      claims: {
        ver: 1,
        jti: 'AT.1',
        aud: 'canvass',
        cid: '0oa1',
        uid: '00u1',
        scp: ['openid'],
        auth_time: 1,
        sub: 'anna@clinic.example',
        groups: ['Everyone', 'Editor'],
      },
    },
  ],
  [
    'Entra ID', // learn.microsoft.com, Access token claims reference
    {
      settings: { RoleClaim: 'roles' },
      claims: { ...entra, aud: 'canvass', sub: 'AAAA', roles: ['Editor'], scp: 'access_as_user' },
      header: { typ: 'JWT', x5t: 'abc' },
    },
  ],
  [
    'Entra ID for an application',
    {
      settings: { RoleClaim: 'roles' },
      claims: { ...entra, aud: 'canvass', sub: 'b2f0', idtyp: 'app', roles: ['Editor'] },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Google', // developers.google.com, OpenID Connect: its access tokens are not JWT
    {
      settings: { AcceptIdTokens: true, DefaultRoles: ['Editor'] },
      claims: {
        azp: 'canvass',
        aud: 'canvass',
        sub: '1076',
        hd: 'clinic.example',
        at_hash: 'HK6',
        nonce: '0394',
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Dex', // dexidp/dex, server/oauth2.go: an access token is made as an ID token
    {
      settings: { AcceptIdTokens: true, RoleClaim: 'groups' },
      claims: { aud: 'canvass', sub: 'CgEx', nonce: 'n', at_hash: 'aa', groups: ['Editor'], name: 'anna' },
    },
  ],
  [
    'GitLab', // gitlab.com, OpenID Connect provider: its access tokens are not JWT
    {
      settings: { AcceptIdTokens: true, RoleClaim: 'groups_direct', RoleMap: { 'clinic/editors': 'Editor' } },
      claims: {
        aud: 'canvass',
        sub: '77',
        auth_time: 1,
        sub_legacy: 'a5',
        nonce: 'n',
        groups_direct: ['clinic/editors'],
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Ory Hydra', // ory/fosite, token/jwt/claims_jwt.go
    {
      settings: { RoleClaim: 'ext.roles' },
      claims: {
        aud: ['canvass'],
        client_id: 'console',
        ext: { roles: ['Editor'] },
        jti: 'j',
        nbf: 1,
        scp: ['openid'],
        sub: 'anna',
      },
    },
  ],
  [
    'ES256',
    { settings: { RoleClaim: 'roles' }, claims: { aud: 'canvass', sub: 'a', roles: ['Editor'] }, key: 'ec' },
  ],
  [
    'EdDSA',
    { settings: { RoleClaim: 'roles' }, claims: { aud: 'canvass', sub: 'a', roles: ['Editor'] }, key: 'ed' },
  ],
];

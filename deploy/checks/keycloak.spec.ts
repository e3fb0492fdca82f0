import { readFileSync } from 'node:fs';
import path from 'node:path';

const read = (name: string) => readFileSync(path.join(__dirname, '../..', name), 'utf8');

interface Realm {
  realm: string;
  roles: { realm: { name: string }[] };
  clients: {
    clientId: string;
    publicClient: boolean;
    redirectUris: string[];
    attributes: Record<string, string>;
    protocolMappers: { protocolMapper: string; config: Record<string, string> }[];
  }[];
  components: Record<string, { config: Record<string, string[]> }[]>;
}
const realm = JSON.parse(read('deploy/keycloak/canvass-realm.json')) as Realm;
const section = read('docs/identity-providers.md').split('### Keycloak\n')[1]!;
const provider = JSON.parse(/```json\n([^]*?)```/.exec(section)![1]!) as {
  Issuer: string;
  Audience: string;
  TenantClaim: string;
  RoleMap: Record<string, string>;
};

it('issues tokens that the settings in the documents accept', () => {
  const [client] = realm.clients;
  const configOf = (kind: string) =>
    client!.protocolMappers.find(({ protocolMapper }) => protocolMapper === kind)!.config;
  expect(configOf('oidc-audience-mapper')).toMatchObject({
    'included.custom.audience': provider.Audience,
    'access.token.claim': 'true',
  });
  expect(configOf('oidc-usermodel-attribute-mapper')).toMatchObject({
    'claim.name': provider.TenantClaim,
    'jsonType.label': 'String',
    'access.token.claim': 'true',
  });
  expect(realm.roles.realm.map(({ name }) => name)).toEqual(Object.keys(provider.RoleMap));
  expect(provider.Issuer.endsWith(`/realms/${realm.realm}`)).toBe(true);
});

it('has a public client with PKCE for the console', () => {
  expect(realm.clients).toEqual([
    expect.objectContaining({
      publicClient: true,
      directAccessGrantsEnabled: false,
      redirectUris: ['https://forms.example.org/console/callback'],
      attributes: expect.objectContaining({ 'pkce.code.challenge.method': 'S256' }) as object,
    }),
  ]);
});

it('lets only administrators see and change the tenant of a user', () => {
  const [profile] = realm.components['org.keycloak.userprofile.UserProfileProvider']!;
  const { attributes } = JSON.parse(profile!.config['kc.user.profile.config']![0]!) as {
    attributes: { name: string; permissions: object }[];
  };
  expect(attributes.find(({ name }) => name === 'tenant')!.permissions).toEqual({
    view: ['admin'],
    edit: ['admin'],
  });
});

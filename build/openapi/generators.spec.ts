/** What generators of clients need of the document; each test names a fault that one of them made of it. */
import type { OpenApiDocument } from './document';
import { publicDocument, webhookDocument } from './public-document';

type Schema = Record<string, unknown>;

let document: OpenApiDocument;
let schemas: Record<string, Schema>;
beforeAll(async () => {
  document = await publicDocument();
  schemas = document.components.schemas;
});

/** The schemas within a value with their places, without those below `if`, which generators do not read. */
function* schemasIn(value: unknown, at = ''): Generator<[at: string, schema: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [name, member] of Object.entries(value)) {
    if (['example', 'examples', 'enum', 'const', 'if'].includes(name)) continue;
    const isMap = name === 'properties' && typeof member === 'object' && !Array.isArray(value);
    if (!isMap) yield* schemasIn(member, `${at}/${name}`);
    else
      for (const [key, one] of Object.entries(member as object))
        yield* schemasIn(one, `${at}/properties/${key}`);
  }
}

const placesWhere = (isFault: (schema: Schema, at: string) => boolean, root: unknown = document): string[] =>
  [...schemasIn(root)].filter(([at, schema]) => isFault(schema, at)).map(([at]) => at);

it('has no default, which makes a member required, is sent without being asked for, or is no literal', () => {
  expect(placesWhere((schema, at) => 'default' in schema && !at.endsWith('/responses'))).toEqual([]);
});

it('says in words what is the default', () => {
  const parameters = document.paths['/api/data-lists']!['get'] as { parameters: object[] };
  expect(parameters.parameters).toContainEqual(
    expect.objectContaining({ name: 'pageSize', description: expect.stringMatching(/ Default: `10`\.$/) }),
  );
  expect(schemas['FormBody']).toMatchObject({
    properties: {
      isEnabled: { description: 'whether the form accepts submissions. Default: `true`.' },
      definition: { description: expect.stringMatching(/ Default: `\{\}`\.$/) },
      retentionDays: { description: expect.not.stringContaining('Default') },
    },
  });
});

it('has no member that can only be null, which has no type in most languages', () => {
  expect(placesWhere(({ type }, at) => type === 'null' && !/\/(anyOf|oneOf)\/\d+$/.test(at))).toEqual([]);
});

it('has no pattern beside the format of a time, which is matched with a date', () => {
  expect(placesWhere(({ pattern, format }) => pattern !== undefined && format === 'date-time')).toEqual([]);
});

it('has no object and no alternative below `not`, of which Go and Python get classes', () => {
  const isFault = ({ not }: Schema) =>
    not !== undefined &&
    ['properties', 'anyOf', 'oneOf', 'not'].some((keyword) => keyword in (not as Schema));
  expect(placesWhere(isFault)).toEqual([]);
});

it('has no members whose names differ only in case, which are one name in Go and Java', () => {
  const isFault = ({ properties = {} }: Schema) => {
    const names = Object.keys(properties as object);
    return new Set(names.map((name) => name.toLowerCase())).size < names.length;
  };
  expect(placesWhere(isFault)).toEqual([]);
  expect(schemas['SubmissionBody']).toMatchObject({
    propertyNames: { enum: expect.arrayContaining(['submitterId', 'SubmitterId', 'jsonData']) },
  });
});

it('has one type of each parameter, which is text with limits of a number otherwise', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const parameters = (operations as { parameters?: Schema[] }[]).flatMap((one) => one.parameters ?? []);
  const isNamed = ({ $ref }: Schema) => $ref === '#/components/schemas/Id';
  const hasTwo = ({ type }: Schema) => Array.isArray(type) && type.filter((one) => one !== 'null').length > 1;
  expect(placesWhere((schema) => isNamed(schema) || hasTwo(schema) || 'anyOf' in schema, parameters)).toEqual(
    [],
  );
  expect(parameters).toContainEqual(
    expect.objectContaining({
      name: 'formId',
      in: 'path',
      schema: expect.objectContaining({ type: 'string', pattern: '^[1-9][0-9]{0,18}$' }),
    }),
  );
});

it('has the type of each constant', () => {
  const without = ({ type, ...rest }: Schema) => 'const' in rest && type === undefined;
  expect(placesWhere(without)).toEqual([]);
});

it('has no schema whose name is the constructor of another one in Go', () => {
  const names = Object.keys(schemas);
  expect(
    names.filter((name) => schemas[name.replace(/^New/, '')] !== undefined && /^New/.test(name)),
  ).toEqual([]);
});

it('has no schema whose name is that of a member of another one with a schema of its own', () => {
  const names = new Map(Object.keys(schemas).map((name) => [name.toLowerCase(), name]));
  const taken = [...schemasIn(schemas)].flatMap(([at, schema]) => {
    const path = at.replaceAll(/\/(properties|anyOf\/\d+|items)(?=\/|$)/g, '');
    if ('$ref' in schema || !('enum' in schema || 'properties' in schema)) return [];
    const [, owner = '', ...members] = path.split('/');
    const name = names.get(`${owner}${members.join('')}`.toLowerCase());
    return name === undefined || members.length === 0 ? [] : [`${at} is ${name}`];
  });
  expect(taken).toEqual([]);
});

it('describes the settings of an event and of an endpoint once for requests, and once for answers', () => {
  for (const prefix of ['', 'Masked']) {
    const { properties } = schemas[`${prefix}WebhookSettings`] as { properties: { Events: Schema } };
    const events = Object.values(properties.Events['properties'] as object);
    expect(events).toHaveLength(10);
    for (const event of events)
      expect(JSON.stringify(event)).toContain(
        `{"$ref":"#/components/schemas/${prefix}WebhookEventSettings"}`,
      );
    expect(schemas[`${prefix}WebhookEventSettings`]).toMatchObject({
      properties: {
        WebHookEndpoints: { items: { $ref: `#/components/schemas/${prefix}WebhookEndpointSettings` } },
      },
    });
  }
});

it('distinguishes the authentication of an endpoint by its type', () => {
  for (const prefix of ['', 'Masked']) {
    expect(schemas[`${prefix}WebhookAuthentication`]).toMatchObject({
      oneOf: [
        { $ref: `#/components/schemas/${prefix}WebhookApiKey` },
        { $ref: `#/components/schemas/${prefix}WebhookOAuth2` },
        { $ref: `#/components/schemas/${prefix}WebhookNoAuthentication` },
      ],
      discriminator: {
        propertyName: 'Type',
        mapping: {
          ApiKey: `#/components/schemas/${prefix}WebhookApiKey`,
          None: `#/components/schemas/${prefix}WebhookNoAuthentication`,
        },
      },
    });
    expect(schemas[`${prefix}WebhookApiKey`]).toMatchObject({
      required: ['Type', 'ApiKeyHeader', 'ApiKey'],
      properties: {
        Type: { type: 'string', const: 'ApiKey' },
        ApiKeyHeader: { type: 'string', maxLength: 128 },
        ApiKey: { type: 'string', maxLength: 4096 },
      },
    });
  }
});

it('has the requests that receivers get in a document of their own', () => {
  expect(document['webhooks']).toBeUndefined();
  const own = webhookDocument();
  expect(Object.keys(own['webhooks'] as object)).toHaveLength(11);
  expect(own.paths).toEqual({});
  const texts = JSON.stringify(own);
  const refs = [...texts.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
  expect(Object.keys(own.components.schemas)).toEqual([...new Set(refs)].sort());
});

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An operation of the OpenAPI document, as far as the walks need it. */
export interface DocumentedOperation {
  needsToken: boolean;
  /** Names of its query parameters. */
  query: string[];
  /** A valid body; undefined if it takes none. */
  body: Record<string, unknown> | undefined;
  /** Names of the members of its body, at the top. */
  members: string[];
}

interface Schema {
  $ref?: string;
  properties?: Record<string, { description?: string }>;
  oneOf?: Schema[];
  anyOf?: Schema[];
}
interface Documented {
  operationId: string;
  parameters?: { in?: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
  security: object[];
}

interface OpenApi {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
}

/** The OpenAPI document; `npx nx run build:openapi` writes it. */
const readDocument = (): OpenApi =>
  JSON.parse(readFileSync(path.resolve(__dirname, '../../../dist/openapi/openapi.json'), 'utf8')) as OpenApi;

const queryOf = ({ parameters = [] }: Documented): string[] =>
  parameters.filter((each) => each.in === 'query').map(({ name }) => name);

/** The operations of the OpenAPI document by id. */
export function documentedOperations(): ReadonlyMap<string, DocumentedOperation> {
  const document = readDocument();
  const membersOf = ({ $ref, properties = {}, oneOf = [], anyOf = [] }: Schema): string[] => [
    ...($ref === undefined ? [] : membersOf(document.components.schemas[$ref.split('/').at(-1)!]!)),
    // Those that are ignored refer to nothing.
    ...Object.keys(properties).filter((name) => !/ignored/i.test(properties[name]!.description ?? '')),
    ...[...oneOf, ...anyOf].flatMap(membersOf),
  ];
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  return new Map(
    all.map((operation) => {
      const { operationId, requestBody, security } = operation;
      const body = requestBody?.content['application/json'];
      // A body that is a file only has no example.
      if (body !== undefined && body.example === undefined)
        throw new Error(`The body of ${operationId} has no example.`);
      const members = body === undefined ? [] : membersOf(body.schema);
      return [
        operationId,
        { needsToken: security.length > 0, query: queryOf(operation), body: body?.example, members },
      ];
    }),
  );
}

/** Returns the query parameters of a request that its operation does not have: the API ignores them. */
export function ignoredParameters(): (method: string, url: string) => string[] {
  const operations = Object.entries(readDocument().paths)
    .map(([template, byMethod]) => ({
      pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      byMethod,
      variables: template.split('{').length,
    }))
    .sort((one, other) => one.variables - other.variables);
  return (method, url) => {
    const { pathname, searchParams } = new URL(url);
    const own = pathname.slice(Math.max(0, pathname.indexOf('/api/')));
    const operation = operations.find(({ pattern }) => pattern.test(own))?.byMethod[method.toLowerCase()];
    if (operation === undefined) return [];
    const known = queryOf(operation);
    return [...searchParams.keys()].filter((name) => !known.includes(name));
  };
}

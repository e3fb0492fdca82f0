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

/** The operations of the OpenAPI document by id; `npx nx run build:openapi` writes it. */
export function documentedOperations(): ReadonlyMap<string, DocumentedOperation> {
  const file = path.resolve(__dirname, '../../../dist/openapi/openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Documented>>;
    components: { schemas: Record<string, Schema> };
  };
  const membersOf = ({ $ref, properties = {}, oneOf = [], anyOf = [] }: Schema): string[] => [
    ...($ref === undefined ? [] : membersOf(document.components.schemas[$ref.split('/').at(-1)!]!)),
    // Those that are ignored refer to nothing.
    ...Object.keys(properties).filter((name) => !/ignored/i.test(properties[name]!.description ?? '')),
    ...[...oneOf, ...anyOf].flatMap(membersOf),
  ];
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  return new Map(
    all.map(({ operationId, parameters = [], requestBody, security }) => {
      const body = requestBody?.content['application/json'];
      // A body that is a file only has no example.
      if (body !== undefined && body.example === undefined)
        throw new Error(`The body of ${operationId} has no example.`);
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      const members = body === undefined ? [] : membersOf(body.schema);
      return [operationId, { needsToken: security.length > 0, query, body: body?.example, members }];
    }),
  );
}

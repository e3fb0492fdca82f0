import type { JsonSchema, OpenApiDocument } from '@canvass/openapi';

/** An operation of the document, as far as requests are made from it. */
export interface FuzzedOperation {
  operationId: string;
  method: string;
  /** As the document writes it: `/api/forms/{formId}` */
  path: string;
  query: { name: string; schema: JsonSchema }[];
  headers: string[];
  /** Schemas of the body by media type; none: it takes no body. */
  body: Record<string, JsonSchema>;
  /** Who may send it: null is everybody. */
  caller: 'admin' | 'formToken' | null;
}

interface Told {
  operationId: string;
  parameters?: { $ref?: string; in?: string; name?: string; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  security: Record<string, unknown>[];
}

export function operationsOf(document: OpenApiDocument): FuzzedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Told>).map(([method, told]) => {
      const { operationId, parameters = [], requestBody, security } = told;
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        query: parameters
          .filter((one) => one.in === 'query')
          .map(({ name, schema }) => ({ name: name!, schema: schema! })),
        headers: parameters.flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref.split('/').at(-1)!])),
        body: Object.fromEntries(
          Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
        ),
        caller: security.length === 0 ? null : 'formAccessToken' in security[0]! ? 'formToken' : 'admin',
      };
    }),
  );
}

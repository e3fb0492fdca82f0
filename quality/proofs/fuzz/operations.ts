import type { JsonSchema, OpenApiDocument } from '@canvass/openapi';

/** An operation of the document, as far as requests are made from it. */
export interface FuzzedOperation {
  operationId: string;
  method: string;
  /** As in the document: `/api/forms/{formId}` */
  path: string;
  query: { name: string; schema: JsonSchema }[];
  headers: string[];
  /** Schemas of the body by media type; empty if the operation takes no body. */
  body: Record<string, JsonSchema>;
  /** Who may send it; null: no token is needed. */
  caller: 'admin' | 'formToken' | null;
}

interface Documented {
  operationId: string;
  parameters?: { $ref?: string; in?: string; name: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  security: Record<string, unknown>[];
}

/** Returns all operations of the document. */
export const operationsOf = (document: OpenApiDocument): FuzzedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Documented>).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, security } = operation;
      const contents = Object.entries(requestBody?.content ?? {});
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        query: parameters.filter((each) => each.in === 'query'),
        headers: parameters.flatMap(({ $ref, in: place, name }) =>
          $ref === undefined ? (place === 'header' ? [name] : []) : [$ref.split('/').at(-1)!],
        ),
        body: Object.fromEntries(contents.map(([type, { schema }]) => [type, schema])),
        caller: security.length === 0 ? null : 'formAccessToken' in security[0]! ? 'formToken' : 'admin',
      };
    }),
  );

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { OpenApiDocument } from './document';

/** TypeScript declarations of a document, as openapi-fetch takes them (`paths`). */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    alphabetize: true,
    defaultNonNullable: false, // a member with a default need not be sent
  });
  return `/** Generated from the OpenAPI document by \`npx nx run build:openapi\`. */\n\n${astToString(nodes)}`;
}

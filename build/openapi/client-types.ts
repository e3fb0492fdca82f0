import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { OpenApiDocument } from './document';

/** TypeScript declarations of the API, as openapi-fetch takes them (`paths`), and of webhooks. */
export async function clientTypes(api: OpenApiDocument, webhooks: OpenApiDocument): Promise<string> {
  const schemas = { ...webhooks.components.schemas, ...api.components.schemas };
  const document = { ...api, webhooks: webhooks['webhooks'], components: { ...api.components, schemas } };
  const nodes = await openapiTS(document as unknown as OpenAPI3, { alphabetize: true });
  return `/** Generated from the OpenAPI document by \`npx nx run build:openapi\`. */\n\n${astToString(nodes)}`;
}

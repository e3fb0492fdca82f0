import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { JsonSchema } from './components';
import type { OpenApiDocument } from './document';

/** TypeScript declarations of the API, as openapi-fetch takes them (`paths`), and of webhooks. */
export async function clientTypes(api: OpenApiDocument, webhooks: OpenApiDocument): Promise<string> {
  const schemas = wholeItems({ ...webhooks.components.schemas, ...api.components.schemas });
  const document = { ...api, webhooks: webhooks['webhooks'], components: { ...api.components, schemas } };
  const nodes = await openapiTS(document as unknown as OpenAPI3, { alphabetize: true });
  return `/** Generated from the OpenAPI document by \`npx nx run build:openapi\`. */\n\n${astToString(nodes)}`;
}

/**
 * The items of a list have all members, as without `fields`, and those that only `fields` adds are optional.
 * The document allows either, so that each member of an item would have to be checked.
 */
function wholeItems(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const isProjected = (name: string) => schemas[`${name}Fields`] !== undefined;
  const either = new Map(
    Object.keys(schemas)
      .filter(isProjected)
      .map((name) => {
        const kinds = [refTo(name), refTo(`${name}Fields`)];
        return [JSON.stringify({ anyOf: kinds }), JSON.stringify({ allOf: kinds })];
      }),
  );
  let text = JSON.stringify(schemas);
  for (const [anyOf, allOf] of either) text = text.replaceAll(anyOf, allOf);
  return JSON.parse(text) as Record<string, JsonSchema>;
}

/** The OpenAPI document of the public API, made from the endpoint definitions. */
export { documentOf, type DocumentOptions, type OpenApiDocument } from './document';
export { Components } from './components';
export { convertDescription, jsonSchemaOf, type Conversion, type JsonSchema } from './json-schema';
export { pathTemplateOf } from './operation';

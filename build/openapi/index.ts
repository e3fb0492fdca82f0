/** The OpenAPI document of the public API: made from the endpoint definitions, and held against answers. */
export { AnswerCheck, type SentAnswer } from './answer-check';
export { documentOf, type DocumentOptions, type OpenApiDocument } from './document';
export { Components, type JsonSchema } from './components';
export { pathFinder } from './find-path';
export { convertDescription, jsonSchemaOf, type Conversion } from './json-schema';
export { pathTemplateOf } from './operation';

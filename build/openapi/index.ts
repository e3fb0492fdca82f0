/** The OpenAPI document of the public API: made from the endpoint definitions, and held against answers. */
export { AnswerCheck, type SentAnswer } from './answer-check';
export type { JsonSchema } from './components';
export type { OpenApiDocument } from './document';
export { pathFinder } from './find-path';

export type { ServiceTokenVerifier } from './access';
export { attachment } from './attachment';
export {
  accepted,
  created,
  noContent,
  ok,
  pageOf,
  streamed,
  type Answer,
  type AnswerOptions,
  type Page,
} from './answers';
export { contentTypeOf, hasBody, readBody, RequestAborted } from './body';
export { acceptedEncoding } from './accepted-encoding';
export { createHttpApp, type HttpAppOptions } from './create-http-app';
export { createRouteFinder, type RouteFinder } from './route-finder';
export { readTarget, type Target } from './target';
export { publishResponseStarted, type ResponseStarted } from './response-started';
export { creationHeaders, revisionHeader, type DescribedAnswer } from './described-answer';
export {
  endpoint,
  refusesRestricted,
  takesIfMatch,
  type Access,
  type AuditRule,
  type Endpoint,
  type EndpointInput,
  type HttpOperation,
} from './endpoint';
export { assertIfMatch, digestOf, notModified, type IfMatch } from './etag';
export type { IdempotencyStore } from './idempotency';
export { problemDocument, problemOf, sendProblem, type MapError, type ProblemDocument } from './problem-json';
export { createRequestWatch, notesOf, type RequestNotes, type WatchRequest } from './request-log';
export { securityHeaders } from './security-headers';
export { edgeRequestId, scopeOf } from './request-scope';
export { nullAsAbsent } from './null-as-absent';
export { endSchema, instantFault, instantSchema, instantTextSchema, readInstant } from './instant';
export {
  fieldsParameter,
  listAnswer,
  listParameters,
  numberedAnswer,
  pageExample,
  pageMembers,
  pageQuery,
  type KeyPage,
  type KeyQuery,
  type PageQuery,
  type TotalMode,
} from './lists';
export {
  maxBuckets,
  periodMembers,
  periodOf,
  periodParameters,
  startsOf,
  type Bucket,
  type Period,
  type PeriodQuery,
} from './periods';
export { formatSchema, idSchema, isBlank, searchText, visibleText, type Wire } from './schemas';
export { streamText } from './stream-text';
export { assertParameters, Validation } from './validate';

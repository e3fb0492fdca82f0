/** Generated requests, most of them invalid or unusual, over all operations of the OpenAPI document. */
export { fuzz, type FuzzOptions, type FuzzResult } from './fuzz';

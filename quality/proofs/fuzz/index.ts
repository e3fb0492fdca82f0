/** Generated requests, most of them bad or odd, over all operations of the OpenAPI document. */
export { fuzz, type Fault, type FuzzOptions, type FuzzResult } from './fuzz';

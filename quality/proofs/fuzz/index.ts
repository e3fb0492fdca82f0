/** Generated requests, most of them bad or odd, over all operations of the OpenAPI document. */
export { fuzz } from './fuzz';

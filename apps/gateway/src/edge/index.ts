export { forwardedFor } from './client-address';
export { createEdge, type Edge, type HeaderList } from './response-headers';

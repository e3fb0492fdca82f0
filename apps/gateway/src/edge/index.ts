export { clientNetwork, forwardedFor } from './client-address';
export { createEdge, type Edge } from './edge';
export { edgeHandler } from './edge.routes';
export type { HeaderList } from './security-headers';

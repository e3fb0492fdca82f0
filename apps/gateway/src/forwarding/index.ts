export { ask, type Answer } from './ask';
export { forward } from './exchange';
export { CircuitOpen, problemFor } from './outcome';
export { discardRest, readRequestBody } from './request-body';
export { createUpstream, type Upstream } from './upstream';
export { createUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics';

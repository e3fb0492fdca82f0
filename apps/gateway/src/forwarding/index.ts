export { createForward, type Forward } from './forward';
export { allowedMethods, forwardingHandler } from './forwarding.routes';
export { createUpstream, type Upstream } from './upstream';

export { allow } from './allowed-methods';
export { createForward, type Forward } from './forward';
export { refusalHandler } from './forwarding.routes';
export { createIntercept } from './intercept';
export { observeUpstreams } from './observe-upstreams';
export { createUpstream, type Upstream } from './upstream';

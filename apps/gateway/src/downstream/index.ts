export { createDownstreamChecks, type DownstreamChecks } from './downstream-checks';

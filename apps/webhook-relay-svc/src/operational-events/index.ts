export { changedEndpoint, endpointEvent, deadDelivery, outboxColumns } from './operational-events.sql';

export { delivery as deliverySchema, deliveryExample } from './delivery-answers';
export { filterMembers, filterRefusals, type DeliveryFilter, type DeliveryStatus } from './delivery-filter';
export { logged, untried, type FoundFilter } from './delivery-filter.sql';
export { logRoutes } from './log.routes';
export { allDeliveries, type DeliveryView } from './log.sql';
export { findMessageOf, readDelivery, type DeliveryDetail } from './read-deliveries';

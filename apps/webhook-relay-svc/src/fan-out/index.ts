export { eventConsumer } from './consume-event';
export { createFanOut } from './fan-out';

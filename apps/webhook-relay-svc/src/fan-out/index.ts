export { eventConsumer } from './consume-event';

export { messageBody, splitEvent } from './event-bytes';

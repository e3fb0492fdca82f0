export { messageBody, splitEvent, textsMember } from './event-bytes';
export { requestBody, type BodyShape } from './request-body';

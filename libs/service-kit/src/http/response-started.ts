import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpOperation } from './endpoint';

/** Published when an operation starts to respond, before anything is written. */
export interface ResponseStarted {
  operation: HttpOperation;
  request: IncomingMessage;
  response: ServerResponse;
}

const answers = channel('canvass.http.answer');

/**
 * Publishes on the diagnostics channel `canvass.http.answer`. Only tests subscribe: they compare all
 * responses with the OpenAPI document.
 */
export function publishResponseStarted(started: ResponseStarted): void {
  if (answers.hasSubscribers) answers.publish(started);
}

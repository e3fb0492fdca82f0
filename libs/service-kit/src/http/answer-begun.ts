import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpOperation } from './endpoint';

/** Told when an operation begins to answer; nothing has been written then. */
export interface AnswerBegun {
  operation: HttpOperation;
  request: IncomingMessage;
  response: ServerResponse;
}

const answers = channel('canvass.http.answer');

/**
 * Tells whoever subscribed to the diagnostics channel `canvass.http.answer`: tests do, product code does not.
 */
export function tellAnswerBegun(begun: AnswerBegun): void {
  if (answers.hasSubscribers) answers.publish(begun);
}

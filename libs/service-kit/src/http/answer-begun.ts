import { channel } from 'node:diagnostics_channel';
import type { Request, Response } from 'express';
import type { HttpOperation } from './endpoint';

/** Told when an operation begins to answer; nothing has been written then. */
export interface AnswerBegun {
  operation: HttpOperation;
  request: Request;
  response: Response;
}

const answers = channel('canvass.http.answer');

/** Tells whoever subscribed to the diagnostics channel `canvass.http.answer`: tests do, product code does not. */
export function tellAnswerBegun(begun: AnswerBegun): void {
  if (answers.hasSubscribers) answers.publish(begun);
}

import { createRouteFinder, type Target } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { keyedCreates } from './route-table';

/** Methods of the API. TRACE, CONNECT and the like are refused. */
const allowedMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** The value of `Allow`. */
export const allow = [...allowedMethods].join(', ');

export const isAllowedMethod = (method = ''): boolean => allowedMethods.has(method);

const findKeyedCreate = createRouteFinder(keyedCreates);

/**
 * Returns whether a request may be sent twice: reads, and creates whose `Idempotency-Key` makes the service
 * do them once.
 */
export function isRepeatable({ method, headers }: IncomingMessage, { segments }: Target): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return (
    method === 'POST' && headers['idempotency-key'] !== undefined && findKeyedCreate(segments) !== undefined
  );
}

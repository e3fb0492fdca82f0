import { Problem } from '@canvass/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentContext } from '../context/request-context';
import { admit, assertAllowedForm, type Guards } from './access';
import { Disconnect } from './disconnect';
import { publishResponseStarted } from './response-started';
import {
  bytesOf,
  contentTypeOf,
  defaultBodyLimit,
  hasBody,
  isJson,
  parseFormBody,
  parseJson,
  readBody,
} from './body';
import { takesIfMatch, type Endpoint } from './endpoint';
import { ifMatchOf } from './etag';
import { handleOnce } from './idempotency';
import { notesOf } from './request-log';
import { sendAnswer } from './send-answer';
import { queryOf, Validation } from './validate';

/** Responds to a request whose path has these segments. @throws {Problem} that becomes the response */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  segments: readonly string[],
) => Promise<void>;

/** The steps of every endpoint: authenticate, parse, validate, handle, respond. */
export function serve(endpoint: Endpoint, guards: Guards): Serve {
  const pathParameters = parametersOf(endpoint.path);
  const limit = bytesOf(endpoint.bodyLimit ?? defaultBodyLimit);
  const bodyRequired = requiresBody(endpoint);
  return async (request, response, segments) => {
    publishResponseStarted({ operation: endpoint, request, response });
    const notes = notesOf(response);
    notes.route = endpoint.path;
    notes.operationId = endpoint.operationId;
    const disconnect = new Disconnect(response);

    const context = currentContext();
    const sentParams = pathParameters(segments);
    const [resource] = Object.values(sentParams);
    if (context && resource !== undefined && endpoint.access !== 'internal') context.resource = resource;
    if (context && endpoint.audit !== undefined && 'action' in endpoint.audit)
      context.action = endpoint.audit.action;
    const caller = await admit(endpoint.access, guards, request);
    if (caller.principal !== null) notes.principal = caller.principal.kind;
    if (caller.callingService !== null) notes.callingService = caller.callingService;

    const validation = new Validation();
    const params = validation.check(endpoint.params, sentParams, 'params');
    const query = validation.check(endpoint.query, queryOf(request), 'query');
    const ifMatch = takesIfMatch(endpoint) ? ifMatchOf(request.headers['if-match']) : null;
    const sent = await bodyOf(endpoint, request, limit);
    if (sent === undefined && bodyRequired && !isRaw(endpoint, request)) validation.add('$', 'is required');
    const body =
      sent === undefined && !hasDefault(endpoint) ? undefined : validation.check(endpoint.body, sent, 'body');
    if (validation.hasFaults) await endpoint.checkToken?.(request.headers);
    validation.done();
    assertAllowedForm(endpoint, caller.principal, params);

    try {
      const input = {
        params,
        query,
        body,
        ...caller,
        headers: request.headers,
        request,
        response,
        get signal() {
          return disconnect.signal;
        },
        traceparent: context?.traceparent ?? '',
        ifMatch,
      };
      const answer =
        endpoint.idempotency === undefined
          ? await endpoint.handle(input)
          : await handleOnce(endpoint.idempotency, endpoint.path, input, endpoint.handle);
      const { principal } = caller;
      const isRevoked = () => principal !== null && guards.authenticator?.isRevoked?.(principal) === true;
      await sendAnswer(request, response, answer, { disconnect, isRevoked });
    } catch (error) {
      // The client disconnected: the failure is a consequence, and no response can be sent.
      if (disconnect.happened) response.destroy();
      else throw error;
    }
  };
}

const hasDefault = ({ body }: Endpoint): boolean => body?.$_getFlag('default') !== undefined;
/** A described body must be sent, unless its schema is `.optional()` or has a default. */
const requiresBody = (endpoint: Endpoint): boolean =>
  endpoint.body !== undefined && endpoint.body.$_getFlag('presence') !== 'optional' && !hasDefault(endpoint);

const isRaw = (endpoint: Endpoint, request: IncomingMessage): boolean =>
  endpoint.rawBody?.includes(contentTypeOf(request).mediaType) ?? false;

/**
 * The parsed body; undefined if no body was sent, the endpoint has no body, or the handler reads it itself.
 */
async function bodyOf(endpoint: Endpoint, request: IncomingMessage, limit: number): Promise<unknown> {
  const wanted = endpoint.body !== undefined || endpoint.rawBody !== undefined;
  if (!wanted || !hasBody(request) || isRaw(endpoint, request)) return undefined;
  const { mediaType, charset } = contentTypeOf(request);
  if (endpoint.body !== undefined && isJson(mediaType))
    return parseJson(await readBody(request, limit), charset, endpoint.keepsNumbersOf);
  if (endpoint.formBody === true && mediaType === 'application/x-www-form-urlencoded') {
    return parseFormBody(await readBody(request, limit), charset);
  }
  const types = [
    ...(endpoint.body === undefined ? [] : ['application/json']),
    ...(endpoint.formBody === true ? ['application/x-www-form-urlencoded'] : []),
    ...(endpoint.rawBody ?? []),
  ];
  throw new Problem('unsupported_media_type', {
    detail: `The Content-Type must be ${types.join(' or ')}.`,
    headers: { Accept: types.join(', ') },
  });
}

/** Reads the parameters of a path, which `readTarget` has checked: each decodes. */
function parametersOf(path: string): (segments: readonly string[]) => Record<string, string> {
  const names = [...path.split('/').slice(1).entries()].filter(([, segment]) => segment.startsWith(':'));
  return (segments) =>
    Object.fromEntries(names.map(([at, name]) => [name.slice(1), decodeURIComponent(segments[at]!)]));
}

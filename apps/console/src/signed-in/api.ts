import type { paths } from '@canvass/client';
import { readJson } from '@canvass/json-numbers';
import createClient, {
  type ClientPathsWithMethod,
  type MethodResponse,
  type ParamsOption,
} from 'openapi-fetch';
import { faultOf, noAnswer } from '../api';
import { pathPrefix } from '../base';
import { session } from '../session';
import { proof } from './proof';
import { noteRead } from './requests';

/**
 * Adds the token. A token that the API refuses is exchanged once, and a fresh proof of the user is asked for
 * where the API wants one. @throws {Fault} for each other answer
 */
async function send(request: Request): Promise<Response> {
  noteRead(request);
  const token = await session.token();
  let response = await sendWith(token, request.clone());
  if (response.status === 401) {
    session.forget(token);
    response = await sendWith(await session.token(), request.clone());
  }
  if (response.ok) return response;
  const fault = await faultOf(response);
  if (fault.code === 'proof_required' && (await proof.ask())) return send(request);
  throw fault;
}

async function sendWith(token: string, request: Request): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  const proved = proof.header();
  if (proved !== null) request.headers.set('x-canvass-proof', proved);
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw noAnswer();
  }
}

/** The API with the session of this page, typed by its OpenAPI document. Calls reject with a `Fault`. */
export const api = createClient<paths>({ baseUrl: pathPrefix, fetch: send });

/** The data of a call with `parseAs: 'text'`. Numbers of definitions keep their digits, for `writeJson`. */
export async function exactDataOf<T>(call: Promise<{ data?: string }>): Promise<T> {
  return readJson((await call).data!) as T;
}

/** The data of a call. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

type Api = typeof api;

/** Reads the data of a path. @throws {Fault} */
export async function get<Path extends ClientPathsWithMethod<Api, 'get'>>(
  path: Path,
  params: ParamsOption<paths[Path]['get']>['params'],
  signal?: AbortSignal,
): Promise<MethodResponse<Api, 'get', Path>> {
  // The types of the client do not work for a path that is a parameter.
  const read = api.GET as (path: Path, init: object) => Promise<{ data: MethodResponse<Api, 'get', Path> }>;
  return (await read(path, { params, signal })).data;
}

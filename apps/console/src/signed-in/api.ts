import type { paths } from '@canvass/client';
import createClient from 'openapi-fetch';
import { faultOf, noAnswer } from '../api';
import { pathPrefix } from '../base';
import { session } from '../session';
import { noteRead } from './requests';

/** Adds the token. A token that the API refuses is exchanged once. @throws {Fault} for each other answer */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  noteRead(request);
  const token = await session.token();
  let response = await sendWith(token, request);
  if (response.status === 401) {
    session.forget(token);
    response = await sendWith(await session.token(), again);
  }
  if (!response.ok) throw await faultOf(response);
  return response;
}

async function sendWith(token: string, request: Request): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw noAnswer();
  }
}

/** The API with the session of this page, typed by its OpenAPI document. Calls reject with a `Fault`. */
export const api = createClient<paths>({ baseUrl: pathPrefix, fetch: send });

/** The data of a call. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

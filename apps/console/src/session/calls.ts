import { noAnswer } from '../api';
import { pathPrefix } from '../base';

/** Asks the API whose token it is. @throws {Fault} without an answer */
export const askForUser = (accessToken: string): Promise<Response> =>
  answerTo('/api/auth/me', { headers: { authorization: `Bearer ${accessToken}` } });

/** Calls the API without a token. @throws {Fault} without an answer */
export const post = (path: string, body?: object): Promise<Response> =>
  answerTo(path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

async function answerTo(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(pathPrefix + path, init);
  } catch {
    throw noAnswer();
  }
}

import { AnswerCheck, pathFinder, type OpenApiDocument } from '../../../build/openapi';
import { stackFile } from '../src/stack';

interface Gateway {
  origin: string;
  check: AnswerCheck;
  /** The path of the document that matches a request path. */
  find(path: string): string | undefined;
}

/**
 * A `fetch` that compares every response of the gateway with its OpenAPI document. It ignores unknown paths
 * and methods, and other servers.
 *
 * @param ask the underlying `fetch`
 * @throws {Error} with method, path, status and fault, if the document does not describe the response
 */
export function createCheckedFetch(ask: typeof fetch): typeof fetch {
  let known: Promise<Gateway> | undefined;
  const load = async (): Promise<Gateway> => {
    const { origin } = new URL((await stackFile(ask)).gatewayUrl);
    const answer = await ask(`${origin}/api/openapi.json`);
    const document = (await answer.json()) as OpenApiDocument;
    return { origin, check: new AnswerCheck(document), find: pathFinder(Object.keys(document.paths)) };
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const { method } = request;
    const { origin, pathname } = new URL(request.url);
    const answer = await ask(request);
    const gateway = await (known ??= load().catch((error: unknown) => {
      known = undefined; // some tests stop the gateway
      throw error;
    }));
    const template = origin === gateway.origin ? gateway.find(pathname) : undefined;
    if (template === undefined || answer.status === 405) return answer;
    const faults = gateway.check.faults(method.toLowerCase(), template, {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      // A stream of events has no end.
      body:
        answer.headers.get('content-type') === 'text/event-stream'
          ? null
          : Buffer.from(await answer.clone().arrayBuffer()),
    });
    if (faults.length === 0) return answer;
    throw new Error(
      `${method} ${pathname} answered ${answer.status}, against the document: ${faults.join('; ')}`,
    );
  };
}

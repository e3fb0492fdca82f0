import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  tenantId: string;
  locale: string;
  lists: { id: string; values: string[] }[];
}

/** The internal listener of datalists-svc with labels that a spec sets. */
export async function startListService() {
  const labels = new Map<
    string,
    { current: string | null; history: { from: string; text: string | null }[] }
  >();
  const requests: Asked[] = [];
  let isAway = false;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const asked = body as Asked;
      requests.push(asked);
      const lists = asked.lists.map(({ id, values }) => ({
        id,
        values: values.map((value) => ({
          value,
          ...(labels.get(`${id} ${value}`) ?? { current: null, history: [] }),
        })),
      }));
      response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ lists }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** The label of a value: since ever, or since when which. */
    set(list: string, value: string, ...texts: [from: string, text: string | null][]) {
      const history = texts.map(([from, text]) => ({ from, text }));
      labels.set(`${list} ${value}`, { current: texts.at(-1)?.[1] ?? null, history });
    },
    setAway: (away: boolean) => void (isAway = away),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

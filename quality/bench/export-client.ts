import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** An export as its client sees it. */
export interface Download {
  /** From the request to the first byte of the body. */
  firstByteMs: number;
  seconds: number;
  bytes: number;
  /** Ends of lines. */
  lines: number;
}

/** Takes a whole export as fast as it comes, and keeps nothing of it. */
export async function download(url: string, token: string, body: object): Promise<Download> {
  const { response, started } = await begin(url, token, body);
  let [bytes, lines, firstByteMs] = [0, 0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - started;
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { firstByteMs, seconds: (performance.now() - started) / 1000, bytes, lines };
}

/** Takes the first bytes of an export, then nothing more for a moment, then breaks off like a client that is killed. */
export async function breakOff(url: string, token: string, body: object, pauseMs: number): Promise<void> {
  const { response, abort } = await begin(url, token, body);
  await once(response, 'readable');
  response.read();
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  abort();
}

/** The ids of an NDJSON export, in order. */
export async function exportedIds(url: string, token: string, body: object): Promise<string[]> {
  const { response } = await begin(url, token, { ...body, format: 'ndjson' });
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}

async function begin(url: string, token: string, body: object) {
  const started = performance.now();
  const asked = request(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the export answered ${response.statusCode}`);
  response.on('error', () => undefined); // of breaking off
  return { response, started, abort: () => asked.destroy() };
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** What the bench does with data lists, as any client would: through the gateway. */
export class ListClient {
  constructor(
    private readonly gatewayUrl: string,
    private readonly token: string,
  ) {}

  async create(name: string): Promise<string> {
    const body = { name, defaultLocale: 'en', availableLocales: ['de', 'pl'] };
    const answer = await this.send('POST', '/api/data-lists', JSON.stringify(body), 'application/json');
    if (answer.statusCode !== 201) throw new Error(`creating a list answered ${answer.statusCode}`);
    return (JSON.parse(await text(answer)) as { id: string }).id;
  }

  /** Uploads a CSV file as fast as it is taken; gives the seconds until the answer was there. `onBytes` is told how many were sent. */
  async import(list: string, file: string, onBytes?: (sent: number) => void): Promise<number> {
    const started = performance.now();
    const body = createReadStream(file, { highWaterMark: 65_536 });
    let sent = 0;
    body.on('data', (chunk) => onBytes?.((sent += chunk.length)));
    const answer = await this.send('PUT', `/api/data-lists/${list}/import`, body, 'text/csv');
    const problem = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`the import answered ${answer.statusCode}: ${problem}`);
    return (performance.now() - started) / 1000;
  }

  /** Of the whole list as CSV. */
  async hash(list: string): Promise<string> {
    const answer = await this.send('POST', `/api/data-lists/${list}/export`, '{}', 'application/json');
    if (answer.statusCode !== 200) throw new Error(`the export answered ${answer.statusCode}`);
    const hash = createHash('sha256');
    for await (const chunk of answer as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest('hex');
  }

  private async send(
    method: string,
    path: string,
    body: string | NodeJS.ReadableStream,
    type: string,
  ): Promise<IncomingMessage> {
    const asked = request(this.gatewayUrl + path, {
      method,
      agent: false,
      headers: { 'content-type': type, authorization: `Bearer ${this.token}` },
    });
    asked.on('error', () => undefined); // after the answer, of what was still to be sent
    if (typeof body === 'string') asked.end(body);
    else body.pipe(asked);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  }
}

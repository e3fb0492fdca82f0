// A receiver of webhooks in TypeScript, with Node alone:
//
//   WEBHOOK_SECRET=whsec_... PORT=3000 npx tsx examples/webhook-receiver.ts
//
// What every receiver has to do, and where it is done here: it takes large bodies and the bytes as they came
// (1), verifies the signature before it reads anything (2), refuses old messages (3), handles each message
// once (4), and answers 2xx only when the message is kept (5).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
  throw new Error('WEBHOOK_SECRET must be the secret of the endpoint.');
/** The key of the HMAC: not the text itself, but the bytes that it encodes. */
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

const toleranceSeconds = 300;
const maxBytes = 16 * 1024 * 1024;

interface Message {
  Id: string;
  EventName: string;
  Action: string;
  Payload: { revision: string; submissionId?: string };
}

/** (4) A real receiver keeps the ids in its database, in the transaction of what it does. */
const seen = new Set<string>();

function handle(message: Message): void {
  if (seen.has(message.Id)) return console.log(`seen before ${message.Id}`);
  seen.add(message.Id);
  const { submissionId = '-', revision } = message.Payload;
  console.log(`${message.EventName} submission ${submissionId} revision ${revision}`);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await bodyOf(request);
    if (body === null) return void response.writeHead(413).end();
    if (!isSigned(request, body)) return void response.writeHead(401).end();
    handle(JSON.parse(body.toString('utf8')) as Message);
    response.writeHead(204).end(); // (5)
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(); // it comes again
  }
}

createServer((request, response) => void receive(request, response)).listen(
  Number(process.env['PORT'] ?? 3000),
  '127.0.0.1',
  () => console.log('listening'),
);

/** (1) The body, or null if it is larger than any webhook. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  ) as [string, string, string];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds)) return false; // (3)
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  // (2) Two signatures while a secret is rotated; one must be right.
  return signatures.split(' ').some((part) => {
    const [version, text = ''] = part.split(',');
    const sent = Buffer.from(text, 'base64');
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Span } from '../src/stack';

/** Maximum number of stored spans; older ones are dropped. */
const maxSpans = 50_000;

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

/** Starts an OpenTelemetry collector that stores the spans of the services. It ends with its process. */
export async function startCollector(): Promise<{ url: string; spans: Span[] }> {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        const service =
          resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
      spans.splice(0, Math.max(0, spans.length - maxSpans));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, spans };
}

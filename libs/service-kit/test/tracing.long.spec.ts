import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FinishedSpan } from '../src';

interface Exported {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number; message?: string };
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = (span: string, flags = '01') => `00-${trace}-${span}-${flags}`;
const startedAt = 1_795_000_000_123;

let collector: Server;
const received: { spans: Exported[]; service: unknown; headers: NodeJS.Dict<string | string[]> }[] = [];

beforeEach(async () => {
  received.length = 0;
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Exported[] }[] }[];
      };
      for (const { resource, scopeSpans } of body.resourceSpans) {
        const spans = scopeSpans.flatMap((scope) => scope.spans);
        received.push({ spans, service: resource.attributes[0], headers: request.headers });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

const folder = mkdtempSync(path.join(tmpdir(), 'tracing-'));
const script = path.join(folder, 'main.js');
beforeAll(() =>
  build({
    entryPoints: [path.join(__dirname, 'fixtures/export-spans.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20',
    tsconfig: path.join(__dirname, '../../../tsconfig.base.json'),
    logLevel: 'warning',
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** Records the spans in a separate process, which exports them to the collector. */
async function record(
  spans: readonly FinishedSpan[],
  settings: Record<string, unknown> = {},
  times = 1,
): Promise<{ enabled: boolean; milliseconds: number; heapUsed: number }> {
  const OtlpUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  const sent = JSON.stringify({ settings: { OtlpUrl, ...settings }, spans, times });
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, sent]);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof record>>;
}
const spansOf = () => received.flatMap(({ spans }) => spans);

describe('spans', () => {
  const span = { name: 'GET /', kind: 'server', startedAt } as const;

  it('are exported as OTLP, with ids, times, service and error', async () => {
    const name = 'POST /api/forms/{formId}/submissions';
    const own = { traceparent: traceparent('b7ad6b7169203331'), parent: traceparent('00f067aa0ba902b7') };
    await record([{ ...span, ...own, name, endedAt: startedAt + 12.5, error: 'service_unavailable' }], {
      OtlpHeaders: { 'x-collector-key': 'k' },
    });
    expect(spansOf()).toEqual([
      expect.objectContaining({
        name,
        kind: 2,
        traceId: trace,
        spanId: 'b7ad6b7169203331',
        parentSpanId: '00f067aa0ba902b7',
        startTimeUnixNano: '1795000000123000000',
        endTimeUnixNano: '1795000000135500000',
        status: { code: 2, message: 'service_unavailable' },
      }),
    ]);
    expect(received[0]!.service).toEqual({ key: 'service.name', value: { stringValue: 'submissions-svc' } });
    expect(received[0]!.headers['x-collector-key']).toBe('k');
  });

  it('have no parent from another trace or from a malformed traceparent', async () => {
    const foreign = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    const parents = [foreign, 'nonsense', '', null, undefined];
    await record(
      parents.map((parent) => ({ ...span, traceparent: traceparent('b7ad6b7169203331'), parent })),
    );
    expect(spansOf().map(({ parentSpanId }) => parentSpanId)).toEqual(Array(5).fill(undefined));
  });

  it('of a trace that the caller does not sample are not exported', async () => {
    await record([
      { ...span, traceparent: traceparent('b7ad6b7169203331', '00') },
      { ...span, traceparent: traceparent('b7ad6b7169203332') },
    ]);
    expect(spansOf().map(({ spanId }) => spanId)).toEqual(['b7ad6b7169203332']);
  });

  it('are exported for a share of the traces, completely for each trace', async () => {
    const traces = Array.from(
      { length: 256 },
      (_, n) => `4bf92f3577b34da6a3ce${n.toString(16).padStart(2, '0')}9d0e0e4736`,
    );
    const both = ['b7ad6b7169203331', 'b7ad6b7169203332'];
    await record(
      traces.flatMap((id) => both.map((own) => ({ ...span, traceparent: `00-${id}-${own}-01` }))),
      { SampleRatio: 0.25 },
    );
    expect(spansOf()).toHaveLength(2 * 64);
    expect(new Set(spansOf().map(({ traceId }) => traceId)).size).toBe(64);
  });

  it('do not accumulate while the collector is unavailable, and the process exits', async () => {
    const many = 200_000;
    const away = { OtlpUrl: 'http://127.0.0.1:1/v1/traces' };
    const spans = [{ ...span, traceparent: traceparent('b7ad6b7169203331') }];
    const [one, all] = [await record(spans, away), await record(spans, away, many)];
    // Those that wait for the next export: a few thousand.
    expect(all.heapUsed - one.heapUsed).toBeLessThan(10 * 1024 ** 2);
    expect(spansOf()).toEqual([]);
  });

  it('are not exported without a URL', async () => {
    const { enabled } = await record([{ ...span, traceparent: traceparent('b7ad6b7169203331') }], {
      OtlpUrl: undefined,
    });
    expect(enabled).toBe(false);
    expect(spansOf()).toEqual([]);
  });
});

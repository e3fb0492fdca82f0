import type { Client } from 'pg';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchMemory, type Scenario } from '../bench';
import { limitRow, sameRow, whole } from '../report';
import { createForms } from '../setup';
import { StreamClient } from '../stream-client';

const usualRows = 500_000;
/** Megabytes, and milliseconds. */
const limits = { growth: { below: 128 }, firstByte: { below: 300 }, queryEnds: { below: 2_000 } };
const watched = ['submissions-svc', 'gateway'] as const;

/** Rows of about 2 KB, as a form with thirty questions leaves them. */
const fill = `
  insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
    collection_status)
  select f.tenant_id, f.id, false, false, n % 100, '{"q":"' || repeat(md5(n::text), 60) || '","said":"ja, \\"gern\\""}',
    '{"source":"bench"}', 'in_progress'
  from forms f, generate_series(1, $2::int) n where f.id = $1`;

export const exportForm: Scenario = {
  name: 'export',
  title: 'Exporting a form',
  about:
    'A form of 500,000 submissions of 2 KB, exported through the gateway in each format by a client that takes it as fast as it comes. ' +
    'Growth is the most resident memory during the export over what the process had before the first one. Then clients are killed in the ' +
    'middle, reading and not reading, and the same filter is sent to list and export.',
  async run(bench) {
    const rows = bench.options.rows ?? usualRows;
    const stack = await bench.stack();
    const client = await bench.client();
    const [formId = ''] = await createForms(client, [[]]);
    console.log(`Creating ${whole(rows)} submissions …`);
    const database = await bench.database(await bench.databaseUrlOf('submissions-svc'));
    for (let left = rows; left > 0; left -= 50_000)
      await database.query(fill, [formId, Math.min(left, 50_000)]);
    await database.query('vacuum analyze submissions');

    const submissions = `/api/forms/${formId}/submissions`;
    const exports = new StreamClient(stack.file.gatewayUrl, client.token);
    const memory = watchMemory(stack, watched);
    const before = memory.most();
    const runs: (Download & { format: string; grown: number[] })[] = [];
    for (const format of ['csv', 'ndjson', 'json']) {
      const found = await download(exports, submissions, format);
      const peaks = memory.most();
      runs.push({ ...found, format, grown: watched.map((name) => peaks.get(name)! - before.get(name)!) });
      console.log(`  ${format}: ${whole(rows / found.seconds)} rows/s`);
    }
    memory.stop();
    const killed: [string, number][] = [];
    for (const [what, pauseMs] of Object.entries({ reading: 0, 'not reading': 3_000 })) {
      const body = await exports.export(submissions, { format: 'csv' });
      await once(body, 'readable');
      body.read();
      await sleep(pauseMs);
      body.on('error', () => undefined).destroy();
      killed.push([what, await untilNoQuery(database)]);
    }

    const filter = 'currentPage:7';
    const lines = await text(await exports.export(submissions, { format: 'ndjson', filter: [filter] }));
    const idOf = (line: string) => (JSON.parse(line) as { id: string }).id;
    const exported = lines.trimEnd().split('\n').map(idOf);
    const listed: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const query: string = `filter=${filter}&sortDir=asc&limit=200${after && `&after=${after}`}`;
      const page = await client.get<{ items: { id: string }[]; next: string | null }>(
        `${submissions}?${query}`,
      );
      listed.push(...page.items.map(({ id }) => id));
      after = page.next;
    }
    const isSame = exported.join() === listed.join();
    const isComplete = runs.every((each) => each.lines >= rows && each.lines <= rows + 2);
    const growth = (n: number) => Math.max(...runs.map(({ grown }) => grown[n]!));
    const firstByte = Math.max(...runs.map(({ firstByteMs }) => firstByteMs));
    return {
      findings: [
        ...watched.map((name, n) => limitRow(`growth of ${name}`, growth(n), ' MB', limits.growth)),
        limitRow('first byte', firstByte, ' ms', limits.firstByte),
        ...killed.map(([what, ms]) =>
          limitRow(`client killed while ${what}: query ended after`, ms, ' ms', limits.queryEnds),
        ),
        sameRow(`list and export of one filter, ${exported.length} rows`, isSame),
      ],
      results: [
        [
          '',
          'rows per second',
          'MB per second',
          'first byte ms',
          ...watched.map((name) => `${name}, growth MB`),
        ],
        ...runs.map(({ format, seconds, bytes, firstByteMs, grown }) => [
          format,
          whole(rows / seconds),
          whole(bytes / 1e6 / seconds),
          whole(firstByteMs),
          ...grown.map((mb) => whole(mb)),
        ]),
      ],
      notes: isComplete ? [] : ['An export had another number of lines than the form has submissions.'],
      broken: !isComplete || !isSame,
    };
  },
};

interface Download {
  /** From the request to the first byte of the body. */
  firstByteMs: number;
  bytes: number;
  lines: number;
  seconds: number;
}

/** Takes a whole export as fast as it comes, and keeps nothing of it. */
async function download(client: StreamClient, submissions: string, format: string): Promise<Download> {
  const started = performance.now();
  let [bytes, lines, firstByteMs] = [0, 0, 0];
  for await (const chunk of (await client.export(submissions, { format })) as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - started;
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { firstByteMs, bytes, lines, seconds: (performance.now() - started) / 1000 };
}

/** Milliseconds until Postgres runs no query of an export. */
async function untilNoQuery(database: Client): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 60_000) {
    const { rowCount } = await database.query(`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and query ~* '(copy|fetch|declare)'`);
    if (rowCount === 0) return performance.now() - started;
    await sleep(20);
  }
  return Infinity;
}

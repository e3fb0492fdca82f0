import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { BenchRun } from '../bench-run';
import { login } from '@canvass/testing';
import { breakOff, download, exportedIds, type Download } from '../export-client';
import { gatewayClient, makeForms } from '../forms';
import { residentBytes } from '../process-usage';
import type { Report, Table, Watching } from '../scenario';

const usualRows = 500_000;
const pageSize = 200;
/** What the work must stay within. */
const limits = { growthMb: 60, firstByteMs: 300, queryEndsMs: 2_000 };
const formats = ['csv', 'ndjson', 'json'] as const;

/** Rows of about 2 KB, as a form with thirty questions leaves them. */
const fill = `
  insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, collection_status)
  select f.tenant_id, f.id, false, false, n % 100, '{"q":"' || repeat(md5(n::text), 60) || '","said":"ja, \\"gern\\""}',
    '{"source":"bench"}', 'in_progress'
  from forms f, generate_series(1, $2::int) n where f.id = $1`;

export const exportScenario: Watching = {
  name: 'export',
  title: 'Exporting a form',
  about:
    'A form of 500,000 submissions of 2 KB, exported through the gateway in each format by a client that takes it as fast as it comes. Growth is the most resident memory during the export ' +
    'over what the process had before the first one. Then clients are killed in the middle, reading and not reading, and the same filter is put to list and export.',
  async watch(run) {
    const rows = run.options.rows ?? usualRows;
    const { gatewayUrl, demo } = (await run.stack()).file;
    const [formId = ''] = await makeForms(await gatewayClient((await run.stack()).file), 1, []);
    run.say(`Filling ${rows.toLocaleString('en-US')} submissions …`);
    const client = new Client({ connectionString: await run.databaseUrlOf('submissions-svc') });
    await client.connect();
    try {
      for (let left = rows; left > 0; left -= 50_000)
        await client.query(fill, [formId, Math.min(left, 50_000)]);
      await client.query('vacuum analyze submissions');
      const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
      const submissions = `${gatewayUrl}/api/forms/${formId}/submissions`;
      const memory = await watchMemory(run);
      const runs: [string, Download, Growth][] = [];
      for (const format of formats) {
        memory.forget();
        const found = await download(`${submissions}/export`, token, { format });
        runs.push([format, found, memory.growth()]);
        run.say(`  ${format}: ${Math.round(rows / found.seconds).toLocaleString('en-US')} rows/s`);
      }
      const ends: [string, number][] = [];
      for (const [what, pauseMs] of [
        ['reading', 0],
        ['not reading', 3_000],
      ] as const) {
        await breakOff(`${submissions}/export`, token, { format: 'csv' }, pauseMs);
        ends.push([what, await untilNoneRuns(client)]);
      }
      memory.stop();
      const same = await listIsExport(submissions, token, `currentPage:7`);
      return reportOf(rows, runs, ends, same);
    } finally {
      await client.end();
    }
  },
};

type Growth = Record<'gateway' | 'submissions-svc', number>;

/** Resident memory of both processes in MB, over what they have now; the most since `forget`. */
async function watchMemory(run: BenchRun) {
  const watched = await Promise.all(
    (['gateway', 'submissions-svc'] as const).map(async (name) => {
      const { pid } = await run.watchedService(name);
      return { name, pid, before: residentBytes([pid]), most: 0 };
    }),
  );
  const look = () => watched.forEach((each) => (each.most = Math.max(each.most, residentBytes([each.pid]))));
  const timer = setInterval(look, 50);
  return {
    forget: () => watched.forEach((each) => (each.most = 0)),
    growth(): Growth {
      look();
      const grown = watched.map(({ name, most, before }) => [name, (most - before) / 1024 ** 2]);
      return Object.fromEntries(grown) as Growth;
    },
    stop: () => clearInterval(timer),
  };
}

/** Milliseconds until Postgres runs no query of an export any more. */
async function untilNoneRuns(client: Client): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { rowCount } = await client.query(`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and query ~* '(copy|fetch|declare)'`);
    if (rowCount === 0) return performance.now() - started;
    if (performance.now() - started > 60_000) return Infinity;
    await sleep(20);
  }
}

/** The same filter gives the same submissions. */
async function listIsExport(
  url: string,
  token: string,
  filter: string,
): Promise<{ same: boolean; rows: number }> {
  const exported = await exportedIds(`${url}/export`, token, { filter: [filter] });
  const listed: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ filter, sortDir: 'asc', page: `${page}`, pageSize: `${pageSize}` });
    const answer = await fetch(`${url}?${query.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items } = (await answer.json()) as { items: { id: string }[] };
    listed.push(...items.map(({ id }) => id));
    if (items.length < pageSize) break;
  }
  return { same: exported.join() === listed.join(), rows: exported.length };
}

function reportOf(
  rows: number,
  runs: readonly [string, Download, Growth][],
  ends: readonly [string, number][],
  same: { same: boolean; rows: number },
): Report {
  const verdict = (met: boolean) => (met ? 'met' : '**missed**');
  const bound = (what: string, value: number, limit: number, unit: string) => [
    what,
    `${value.toFixed(0)} ${unit}`,
    `< ${limit} ${unit}`,
    verdict(value < limit),
  ];
  const most = (values: number[]) => Math.max(...values);
  const growth = (name: keyof Growth) => most(runs.map(([, , grown]) => grown[name]));
  const complete = runs.every(([, { lines }]) => lines >= rows && lines <= rows + 2);
  const ratios: Table = [
    ['', 'Found', 'Target', ''],
    bound('growth of submissions-svc', growth('submissions-svc'), limits.growthMb, 'MB'),
    bound('growth of the gateway', growth('gateway'), limits.growthMb, 'MB'),
    bound('first byte', most(runs.map(([, { firstByteMs }]) => firstByteMs)), limits.firstByteMs, 'ms'),
    ...ends.map(([what, ms]) =>
      bound(`client killed while ${what}: query ended after`, ms, limits.queryEndsMs, 'ms'),
    ),
    [
      `list and export of one filter, ${same.rows} rows`,
      same.same ? 'the same' : 'differ',
      'the same',
      verdict(same.same),
    ],
  ];
  return {
    ratios,
    results: [
      ['', 'rows per second', 'MB per second', 'first byte ms', 'submissions-svc MB', 'gateway MB'],
      ...runs.map(([format, { seconds, bytes, firstByteMs }, grown]) => [
        format,
        Math.round(rows / seconds).toLocaleString('en-US'),
        (bytes / 1e6 / seconds).toFixed(0),
        firstByteMs.toFixed(0),
        `+${grown['submissions-svc'].toFixed(0)}`,
        `+${grown.gateway.toFixed(0)}`,
      ]),
    ],
    processes: [[]],
    notes: complete ? [] : ['An export had another number of lines than the form has submissions.'],
    broken: !complete || !same.same,
  };
}

/**
 * Stages a CSV file and an NDJSON file with errors of all kinds that a file can have more than one of, and
 * reads all errors page by page. The service, the client and the test are one process: its growth in
 * memory is more than that of the service.
 */
import { prove, type Claim } from '@canvass/testing';
import { faultFiles } from '../fault-files';
import { faultyCsv, faultyNdjson, type FaultyFile } from '../faulty-files';
import { startHarness } from '../harness';
import { newStagedList, type KeyPage, type Staged } from '../staged-lists';

const mostGrowthMb = 200;
const mb = 1024 * 1024;

async function proveImportFaults(lines: number, faults: number): Promise<Claim[]> {
  const harness = await startHarness();
  const { admin, path, stage } = await newStagedList(harness);
  const kinds = new Set<string>();
  const claims: Claim[] = [];
  const run = async (name: string, { type, body, expected }: FaultyFile) => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const started = performance.now();
    const made = await stage<Staged>(body, type);
    const seconds = (performance.now() - started) / 1000;
    const readStarted = performance.now();
    const found = await allFaults(admin, `${path}/imports/${made.body.id}/faults?limit=200`);
    const readSeconds = (performance.now() - readStarted) / 1000;
    clearInterval(watch);
    for (const { code } of found) kinds.add(code);
    const textOf = (list: readonly { line: number | null; code: string }[]) =>
      list.map(({ line, code }) => `${line} ${code}`);
    const [got, wanted] = [textOf(found), textOf(expected)];
    const differs = wanted.findIndex((each, n) => each !== got[n]);
    const growth = (peak - before) / mb;
    claims.push(
      {
        what: `${name} of ${lines} lines: staged in ${seconds.toFixed(1)} s, errors read in ${readSeconds.toFixed(1)} s; state`,
        found: `${made.body.state}, ${made.body.faults} errors, whole: ${made.body.isWhole}`,
        wanted: `rejected, ${wanted.length} errors`,
        holds: made.status === 201 && made.body.state === 'rejected' && made.body.faults === wanted.length,
      },
      {
        what: `${name}: errors by page, in the order of the file`,
        found:
          differs < 0
            ? `${got.length}, all as made`
            : `${got.length}, number ${differs + 1} is ${got[differs]}`,
        wanted: `${wanted.length}${differs < 0 ? '' : `, there ${wanted[differs]}`}`,
        holds: differs < 0 && got.length === wanted.length,
      },
      {
        what: `${name}: growth in memory of service, client and test`,
        found: `${growth.toFixed(0)} MB over ${(before / mb).toFixed(0)} MB`,
        wanted: `< ${mostGrowthMb} MB`,
        holds: growth < mostGrowthMb,
      },
    );
    await admin.request('DELETE', `${path}/imports/${made.body.id}`);
  };
  await stage(faultyCsv(1_000, 100).body); // warm
  await run('CSV', faultyCsv(lines, faults));
  await run('NDJSON', faultyNdjson(lines, faults));
  const inLarge = kinds.size;
  for (const { type, body } of faultFiles) {
    const made = await stage<Staged>(body, type);
    for (const code of Object.keys(made.body.faultsByCode)) kinds.add(code);
  }
  claims.push({
    what: 'kinds of errors',
    found: `${inLarge} in the large files, ${kinds.size} with small files for those that end the reading`,
    wanted: 'at least 30',
    holds: kinds.size >= 30,
  });
  await harness.close();
  return claims;
}

interface FaultView {
  line: number | null;
  code: string;
}

async function allFaults(
  admin: { get<T>(path: string): Promise<{ status: number; body: T }> },
  path: string,
): Promise<FaultView[]> {
  const all: FaultView[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { status, body }: { status: number; body: KeyPage<FaultView> } = await admin.get(
      `${path}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    );
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    all.push(...body.items);
    after = body.next;
  }
  return all;
}

const [lines = 1_000_000, faults = 10_000] = process.argv.slice(2).map(Number);
prove(() => proveImportFaults(lines, faults));

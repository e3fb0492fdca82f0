import type { Scenario } from '../bench';
import type { Figure } from '../report';
import { createForms, transfer } from '../stack-client';

const usualRows = 500_000;
const filledAtOnce = 50_000;
const rounds = 3;
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
    'Growth is the resident memory after the last export over that before the first one.',
  async run(bench) {
    const rows = bench.options.rows ?? usualRows;
    const { gatewayUrl } = (await bench.stack()).file;
    const client = await bench.client();
    const [formId = ''] = await createForms(client, [[]]);
    console.log(`Creating ${rows} submissions …`);
    const database = await bench.database(await bench.databaseUrlOf('submissions-svc'));
    for (let left = rows; left > 0; left -= filledAtOnce)
      await database.query(fill, [formId, Math.min(left, filledAtOnce)]);
    await database.query('vacuum analyze submissions');
    const memory = () => Promise.all(watched.map((name) => bench.memoryOf(name)));
    const before = await memory();

    /** Takes a whole export and keeps nothing of it; returns the seconds to the first byte and to the last. */
    const download = async (format: string) => {
      const path = `/api/forms/${formId}/submissions/export`;
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      let [lines, first] = [0, 0];
      const request = ['POST', path, 'application/json'] as const;
      const body = await transfer({ gatewayUrl, token: client.token }, request, JSON.stringify({ format }));
      for await (const chunk of body as AsyncIterable<Buffer>) {
        first ||= seconds();
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      }
      return { first, seconds: seconds(), isWhole: lines >= rows && lines <= rows + 2 };
    };
    const figures: Figure[] = [];
    let broken = false;
    for (const format of ['csv', 'ndjson', 'json']) {
      const found = [];
      for (let round = 0; round < rounds; round++) found.push(await download(format));
      const best = found.sort((a, b) => a.seconds - b.seconds)[0]!;
      broken ||= found.some(({ isWhole }) => !isWhole);
      figures.push({ what: `${format}, best of ${rounds}`, value: rows / best.seconds, unit: '/s' });
      figures.push({ what: `${format}, first byte`, value: best.first * 1000, unit: ' ms', below: 300 });
    }
    const after = await memory();
    for (const [n, name] of watched.entries())
      figures.push({ what: `growth of ${name}`, value: after[n]! - before[n]!, unit: ' MB', below: 128 });
    const notes = broken ? ['An export had another number of lines than the form has submissions.'] : [];
    return { figures, notes, broken };
  },
};

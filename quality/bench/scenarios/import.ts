import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scenario } from '../bench';
import { compare } from '../compare';
import { generatedCsv } from '../generated-list';
import { importCsv } from '../stack-client';

const usualRows = 1_000_000;
const rounds = 3;

export const importList: Scenario = {
  name: 'import',
  title: 'Importing a data list',
  about:
    'A CSV file of a million items with labels in three locales, streamed through the gateway by a client that sends as fast as it is ' +
    'taken: into an empty list, and in the place of as many other items, which are compared.',
  async run(bench) {
    const items = bench.options.rows ?? usualRows;
    const { gatewayUrl } = (await bench.stack()).file;
    const client = await bench.client();
    const target = { gatewayUrl, token: client.token };
    console.log(`Generating ${items} items …`);
    const write = async (name: string, content: Iterable<string>) => {
      const file = path.join(bench.dir, name);
      await pipeline(Readable.from(content), createWriteStream(file));
      return file;
    };
    const csv = await write('list.csv', generatedCsv({ items, seed: 1 }));
    const other = await write('other.csv', generatedCsv({ items, seed: 2 }));

    let [list, content] = ['', ''];
    const importFirst = async () => {
      const body = { name: 'List', defaultLocale: 'en', availableLocales: ['de', 'pl'] };
      list = (await client.post<{ id: string }>('/api/data-lists', body)).id;
      return importCsv(target, list, createReadStream((content = other)));
    };
    const replaceAll = () => {
      content = content === csv ? other : csv;
      return importCsv(target, list, createReadStream(content));
    };
    // A round is one file, however long it takes.
    const whole = (name: string, work: () => Promise<number>) => ({
      name,
      run: async () => ({ operations: items, seconds: await work(), errors: 0 }),
    });
    const report = await compare(rounds, {
      variants: [whole('into an empty list', importFirst), whole('replacing as many', replaceAll)],
    });
    const value = await bench.memoryOf('datalists-svc');
    return {
      ...report,
      figures: [...report.figures, { what: 'datalists-svc at the end', value, unit: ' MB' }],
    };
  },
};

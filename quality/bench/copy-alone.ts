import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { generatedItems, type GeneratedList } from './generated-list';

/** The items as rows of the text format of COPY, ready to be sent. Ids of tenant, list and version are as long as real ones. */
export async function writeCopyFile(file: string, list: GeneratedList): Promise<void> {
  const out = createWriteStream(file);
  const id = '117427679766773771';
  let position = 0;
  let piece = '';
  for (const { value, labels } of generatedItems(list)) {
    const json = JSON.stringify(labels).replaceAll('\\', '\\\\');
    piece += `${id}\t${id}\t${id}\t${position++}\t${value}\t${json}\n`;
    if (piece.length < 65_536) continue;
    if (!out.write(piece)) await once(out, 'drain');
    piece = '';
  }
  out.end(piece);
  await once(out, 'close');
}

export interface CopyAlone {
  /** Seconds from the first byte of the file to the commit. */
  intoItems(): Promise<number>;
  /** The CSV file itself into a table of its columns without any index: what the machine can do at most. */
  intoBare(): Promise<number>;
  end(): Promise<void>;
}

/** COPY by pg-copy-streams and nothing else, from files that are ready; into a table like `items` with all its indexes. */
export async function copyAlone(
  databaseUrl: string,
  files: { copy: string; csv: string },
): Promise<CopyAlone> {
  const client = new Client({ connectionString: databaseUrl, statement_timeout: 0 });
  await client.connect();
  await client.query('create table if not exists bench_items (like items including all)');
  await client.query('create table if not exists bench_bare (value text, "default" text, de text, pl text)');
  const timed = async (table: string, file: string, options: string) => {
    await client.query(`truncate ${table}`);
    const started = performance.now();
    await client.query('begin');
    await pipeline(
      createReadStream(file, { highWaterMark: 65_536 }),
      client.query(copyFrom(`copy ${table} from stdin ${options}`)),
    );
    await client.query('commit');
    const seconds = (performance.now() - started) / 1000;
    await client.query(`truncate ${table}`);
    return seconds;
  };
  return {
    intoItems: () => timed('bench_items', files.copy, ''),
    intoBare: () => timed('bench_bare', files.csv, '(format csv, header)'),
    async end() {
      await client.query('drop table bench_items, bench_bare');
      await client.end();
    },
  };
}

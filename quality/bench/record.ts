import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import { Client } from 'pg';
import { format, resolveConfig } from 'prettier';
import type { Scenario } from './bench';
import { tableOf, withSection, type Report } from './report';

/** Writes the scenario's section into the record, with the date, the command, the machine and the versions. */
export async function record(
  { title, about }: Scenario,
  { figures, notes }: Report,
  command: string,
  databaseUrl: string,
): Promise<void> {
  const page = path.join(checkoutDir, 'quality/records/benchmarks.md');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  const versions = `Node ${process.versions.node}, PostgreSQL ${rows[0]!.server_version.split(' ')[0]}`;
  const machine = `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} cores`;
  const day = new Date().toISOString().slice(0, 10);
  const footer = `${day}, \`${command}\`. ${machine}. ${versions}.`;
  const section = [`## ${title}`, about, tableOf(figures), ...notes, footer].join('\n\n');
  const text = withSection(readFileSync(page, 'utf8'), section);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

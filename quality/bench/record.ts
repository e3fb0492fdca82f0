import { checkoutDir } from '@canvass/infra';
import { connect } from 'amqplib';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { format, resolveConfig } from 'prettier';
import { markdownTable } from '@canvass/testing';
import { tablesOf, withSection, type Report } from './report';

/**
 * Writes the scenario's section into docs/benchmarks.md, with the date, the command, the machine and the
 * versions, and its files.
 */
export async function record(
  scenario: { title: string; about: string },
  report: Report,
  command: string,
  servers: { databaseUrl: string; amqpUrl: string },
): Promise<void> {
  const page = path.join(checkoutDir, 'docs/benchmarks.md');
  const section = [
    `## ${scenario.title}`,
    scenario.about,
    ...tablesOf(report).map(markdownTable),
    ...report.notes,
    `${new Date().toISOString().slice(0, 10)}, \`${command}\`. ${machine()}. ${await versions(servers)}.`,
  ].join('\n\n');
  const text = withSection(readFileSync(page, 'utf8'), section);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
  for (const [file, content] of Object.entries(report.files ?? {})) {
    mkdirSync(path.dirname(path.join(checkoutDir, file)), { recursive: true });
    writeFileSync(path.join(checkoutDir, file), content);
  }
}

function machine(): string {
  const [cpu, ...others] = os.cpus();
  const cores = others.length + 1;
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return `${cpu?.model.trim()}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${memory} GB memory`;
}

async function versions({ databaseUrl, amqpUrl }: { databaseUrl: string; amqpUrl: string }): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  const broker = await connect(amqpUrl);
  const { serverProperties } = broker.connection as unknown as { serverProperties: { version: string } };
  await broker.close();
  const packages = ['express', 'pg', 'undici', 'amqplib'].map((name) => {
    const file = path.join(checkoutDir, 'node_modules', name, 'package.json');
    return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
  });
  const servers = [
    `PostgreSQL ${rows[0]!.server_version.split(' ')[0]}`,
    `RabbitMQ ${serverProperties.version}`,
  ];
  return [`Node ${process.versions.node}`, ...servers, ...packages].join(', ');
}

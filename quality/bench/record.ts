import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { checkoutDir } from '@canvass/infra';
import { withSection } from './page';

const page = path.join(checkoutDir, 'docs', 'benchmarks.md');

const introduction = `# Benchmarks

Every number here was written by a command that anyone can run; each stands beside its raw limit, measured in the same run.

\`\`\`
npm run bench -- <scenario …|all> [--seconds N] [--record] [--profile]
\`\`\`

A run starts a private stack on loopback, with a Postgres that waits for the disk. The contestants take turns in rounds; a ratio is the median over the rounds of
the ratio within the round, so that what else the machine does meets both sides. Rates depend on the machine, ratios much less. CPU is user and system time of the process, and
of all its children for the servers; load generators and receivers are processes of their own and share the machine with what they measure.
`;

/** Writes the scenario's section into docs/benchmarks.md, formatted as the project is. */
export async function record(section: string): Promise<void> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : introduction;
  const options = await resolveConfig(page);
  writeFileSync(page, await format(withSection(text, section), { ...options, filepath: page }));
}

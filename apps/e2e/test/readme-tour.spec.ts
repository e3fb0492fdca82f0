import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stackFile } from '../src/stack';

const run = promisify(execFile);

/** The shell blocks of the tour, run in order in one shell. */
async function tour(): Promise<string> {
  const readme = await readFile(path.resolve(__dirname, '../../../README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## A tour'), readme.indexOf('## Where things are'));
  return [...section.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
}

it('the tour of the README works as pasted, for each of the four areas', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'canvass-tour-'));
  try {
    await mkdir(path.join(folder, '.local'));
    await writeFile(path.join(folder, '.local/stack.json'), JSON.stringify(await stackFile()));
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', await tour()], {
      cwd: folder,
      timeout: 150_000,
    });
    expect(stdout).toContain('"Wiedeń"'); // data lists: found by `wieden`
    expect(stdout.match(/"status":"delivered"/g)).toHaveLength(3); // webhooks: the log
    expect(stdout).toContain('submission_completed {"Id"'); // webhooks: the receiver
    expect(stdout).toContain('"submitterDisplayId":"Ada"'); // submitters: on behalf
    expect(stdout).toContain('"submitterProfileSnapshot":{"department":"Sales"}');
    expect(stdout).toContain('{"status":"Healthy","checks":[{"name":"service-self"'); // health
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

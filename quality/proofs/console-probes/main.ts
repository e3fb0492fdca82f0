/**
 * Builds the web console three times, each with one weakness, and runs the test with texts of strangers
 * (`apps/e2e/long/console-probes.spec.ts`) on each: it must fail for the weakness, and pass on the build as it is.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkoutDir, runCommand } from '@canvass/infra';

interface Weakness {
  name: string;
  /** What the source of `ForeignText` has instead of `sound`. */
  weak: string;
  /** What the failed test must say. */
  found: RegExp;
}

const file = 'foreign-text.tsx';
const sound = '<bdi>{visible(text)}</bdi>';

const weaknesses: readonly Weakness[] = [
  {
    name: 'text becomes markup',
    weak: '<bdi dangerouslySetInnerHTML={{ __html: text }} />',
    found: /require-trusted-types-for|TrustedHTML|probe \d+ ran/,
  },
  {
    name: 'text becomes the address of a link',
    weak: '/^\\s*[a-z]+:/i.test(text) ? <a href={text}>{text}</a> : <bdi>{visible(text)}</bdi>',
    found: /a link to (javascript|data|vbscript):/,
  },
  {
    name: 'characters that change the direction stay',
    weak: '<bdi>{text}</bdi>',
    found: /an invisible character in/,
  },
];

async function build(outDir: string, { weak }: Weakness): Promise<void> {
  const vite = await import('vite');
  let isWeakened = false;
  await vite.build({
    root: path.join(checkoutDir, 'apps/console'),
    configFile: path.join(checkoutDir, 'apps/console/vite.config.mts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'weaken',
        enforce: 'pre',
        transform(code, id) {
          if (!id.endsWith(file)) return null;
          isWeakened = code.includes(sound);
          return code.replace(sound, weak);
        },
      },
    ],
  });
  if (!isWeakened) throw new Error(`${file} has no ${sound}: name what it has now.`);
}

/** Runs the test. @returns whether it passed, and what it said */
async function test(controlUrl: string, folder?: string): Promise<{ passed: boolean; said: string }> {
  const jest = require.resolve('jest/bin/jest');
  const args = [jest, '-c', 'apps/e2e/long/jest.config.js', 'console-probes'];
  const env = { ...process.env, E2E_CONTROL_URL: controlUrl };
  const child = spawn(process.execPath, args, {
    cwd: checkoutDir,
    env: folder === undefined ? env : { ...env, E2E_CONSOLE_FOLDER: folder },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  const [status] = (await once(child, 'exit')) as [number | null];
  return { passed: status === 0, said };
}

async function startStack(): Promise<{ url: string; child: ChildProcess }> {
  const args = ['--import', 'tsx', path.join(checkoutDir, 'apps/e2e/stack/stack-process.ts')];
  const { DATABASE_URL: _database, AMQP_URL: _amqp, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: checkoutDir, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', () => reject(new Error('The stack did not start.')));
  });
  return { url, child };
}

async function main(): Promise<number> {
  const dir = mkdtempSync(path.join(tmpdir(), 'canvass-weak-'));
  const { url, child } = await startStack();
  let missed = 0;
  const say = (holds: boolean, what: string) => {
    if (!holds) missed += 1;
    console.log(`  ${holds ? 'ok    ' : 'MISSED'}  ${what}`);
  };
  try {
    const { passed, said } = await test(url);
    say(passed, 'the test passes on the build as it is');
    if (!passed) console.log(said.slice(-5_000));
    for (const [index, weakness] of weaknesses.entries()) {
      const folder = path.join(dir, String(index));
      await build(folder, weakness);
      const weak = await test(url, folder);
      const reason = weakness.found.exec(weak.said)?.[0];
      say(!weak.passed && reason !== undefined, `${weakness.name}: ${reason ?? 'not found'}`);
    }
  } finally {
    child.stdin!.end();
    await once(child, 'exit');
    rmSync(dir, { recursive: true });
  }
  return missed === 0 ? 0 : 1;
}

runCommand(main);

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { login } from '@canvass/testing';
import { environment } from '../src/config';
import { inNotation30 } from '../src/generators/notation-30';
import { goProgram, openApiGenerator, pythonProgram, type Program } from '../src/generators/programs';
import { stackFile } from '../src/stack';

/** Clients that OpenAPI Generator makes of the served document, with its own defaults. */
const programs = path.join(__dirname, '../src/generators');
const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-languages-'));
afterAll(() => rmSync(dir, { recursive: true }));

const say = (line: string) => console.error(line);

function run({ file, args, env }: Program, ...more: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(file, [...args, ...more], {
    cwd: dir,
    env: { ...environment, ...env },
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  expect([error, status, status === 0 ? '' : stdout + stderr]).toEqual([undefined, 0, '']);
  return stdout;
}

let gatewayUrl: string;
let token: string;
let generator: Program;
beforeAll(async () => {
  generator = await openApiGenerator(say);
  const { demo, ...stack } = await stackFile();
  gatewayUrl = stack.gatewayUrl;
  token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
  const answer = await fetch(`${gatewayUrl}/api/openapi.json`);
  const document = (await answer.json()) as Parameters<typeof inNotation30>[0];
  writeFileSync(path.join(dir, 'openapi.json'), JSON.stringify(inNotation30(document)));
});

const generate = (language: string, output: string, ...options: string[]) =>
  run(generator, 'generate', '-i', 'openapi.json', '-g', language, '-o', output, ...options);

/** What `use.py` and `use.go` print: ids that were created and listed two at a time, and two more facts. */
function outcomeOf(printed: string) {
  const { created, listed, ...facts } = JSON.parse(printed) as Record<'created' | 'listed', string[]>;
  return { submissions: created.length, areListed: String(created) === String(listed), ...facts };
}
const outcome = { submissions: 3, areListed: true, code: 'not_found', type: 'None' };

it('is made for Python, and creates a form, submits, lists by key and reads a problem', async () => {
  const python = await pythonProgram(say);
  // Each model inherits a method `copy` from pydantic 1, whose name a member may not have.
  generate('python', 'python', '--name-mappings', 'copy=copy_');
  const folders = [path.join(dir, 'python'), python.env['PYTHONPATH']].join(path.delimiter);
  const withClient = { ...python, env: { ...python.env, PYTHONPATH: folders } };
  const printed = run(withClient, path.join(programs, 'use.py'), gatewayUrl, token);
  expect(outcomeOf(printed)).toEqual(outcome);
});

it('is made for Go, and creates a form, submits, lists by key and reads a problem', async () => {
  const go = await goProgram(path.join(dir, 'go'), say);
  // Without the option 7.0.0 counts the alternatives that fit, and does not look at required members.
  generate('go', 'go/src/openapi', '--additional-properties', 'useOneOfDiscriminatorLookup=true');
  const use = path.join(dir, 'go/src/use');
  mkdirSync(use);
  copyFileSync(path.join(programs, 'use.go'), path.join(use, 'main.go'));
  run(go, 'build', '-o', 'use', 'use');
  const printed = run({ file: path.join(dir, 'use'), args: [], env: {} }, gatewayUrl, token);
  expect(outcomeOf(printed)).toEqual(outcome);
});

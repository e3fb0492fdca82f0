import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment, services } from './container';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/configuration-examples.md'), 'utf8');
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-guides-'));
  writeFileSync(path.join(dir, 'smtp-url'), 'smtps://user:secret@smtp.example.org');
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The variables that a sample sets, with values in place of its `<…>`. */
function variablesOf(sample: string): Record<string, string> {
  const text = sample.replaceAll('/run/secrets', dir).replaceAll(/<[a-z][^<>\n]*id[^<>\n]*>/g, '0f6c');
  const printed = execFileSync('bash', ['--norc', '-c', `set -ae\n${text}\nenv -0`], {
    env: {},
    encoding: 'utf8',
  });
  const lines = printed.split('\0').filter((line) => line.startsWith('Service__'));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
}

/** The services that read all variables and accept them. What else they need is left out and does not count. */
async function readersOf(variables: Record<string, string>): Promise<string[]> {
  const keys = Object.keys(variables).map((name) => `${name.replace(/_FILE$/, '').replaceAll('__', ':')}:`);
  const accepts = await Promise.all(
    services.map(async (app) => {
      const { faults } = await readEnvironment(`dist/apps/${app}/main.js`, variables);
      // Of a section that a service does not know, the fault names the section.
      const places = faults.map((fault) => `${fault.split(' ')[0]!}:`);
      return keys.every((key) => !places.some((place) => place.startsWith(key) || key.startsWith(place)));
    }),
  );
  return services.filter((_, at) => accepts[at]);
}

const samples = [...page.matchAll(/^## (.+)$|^```sh\n([^]*?)^```$/gm)];
const titled = samples.flatMap(({ 2: text }, at) =>
  text === undefined ? [] : [[samples.slice(0, at).findLast(({ 1: title }) => title)![1]!, text] as const],
);

it.each(titled)(
  'the settings of a sample in configuration by example are read by a service: %s',
  async (_, text) => {
    const variables = variablesOf(text);
    expect(Object.keys(variables)).not.toEqual([]);
    expect(await readersOf(variables)).not.toEqual([]);
  },
);

it('finds settings that no service knows, or whose value is wrong', async () => {
  expect(await readersOf({ Service__Gateway__Cors__Origin: '[]' })).toEqual([]);
  expect(await readersOf({ Service__Gateway__Cors__Origins: '["nonsense"]' })).toEqual([]);
  expect(await readersOf({ Service__Gateway__Cors__Origins: '["https://a.example"]' })).toEqual(['gateway']);
});

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** The names of the rules that a message breaks. */
function brokenRules(message: string): string[] {
  const command = path.join(root, 'node_modules/@commitlint/cli/cli.js');
  const args = [command, '--config', path.join(__dirname, 'commit-message.mjs'), '--color', 'false'];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    input: message,
    encoding: 'utf8',
  });
  const rules = [...stdout.matchAll(/✖ .*\[([\w-]+)\]$/gm)].map(([, rule]) => rule!);
  expect(status).toBe(rules.length === 0 ? 0 : 1);
  return rules;
}

const subjectOf = (length: number) => 'fix: '.padEnd(length, 'x');

it.each([
  ['a scope that is an app', 'fix(gateway): refuse a header without a name', []],
  ['a scope that is a library', 'feat(outbox): count poisoned events', []],
  ['a scope that is a folder', 'test(chaos): stop the broker twice', []],
  ['no scope', 'docs: list the changes of the day', []],
  ['72 characters', subjectOf(72), []],
  ['73 characters', subjectOf(73), ['header-max-length']],
  ['an unknown scope', 'fix(kitchen): refuse a header', ['scope-enum']],
  ['an unknown type', 'repair(gateway): refuse a header', ['type-enum']],
  ['no type', 'refuse a header', ['subject-empty', 'type-empty']],
])('%s', (_name, message, rules) => {
  expect(brokenRules(message)).toEqual(rules);
});

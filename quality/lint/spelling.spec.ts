import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** Runs cspell with the configuration of the project on a text, as if it were in `file`. */
const check = (file: string, text: string) =>
  spawnSync(
    process.execPath,
    ['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--no-summary', `stdin://${file}`],
    { cwd: root, input: text, encoding: 'utf8' },
  );

describe('the spell check', () => {
  it('finds misspelt words in comments and identifiers, and accepts terms of the project', () => {
    const { status, stdout } = check(
      path.join(root, 'apps/gateway/src/app.ts'),
      '/** Recieves a querry. */\nconst adrressOfClient = "whsec";\n',
    );
    expect(status).toBe(1);
    expect(stdout.match(/(?<=Unknown word \()\w+/g)).toEqual(['Recieves', 'querry', 'adrress']);
  });

  it('flags words of which the house has a plainer one', () => {
    const { stdout } = check(path.join(root, 'docs/a.md'), 'Nobody waits: a client is told.\n');
    expect(stdout.match(/(?<=Forbidden word \()\w+/g)).toEqual(['Nobody', 'told']);
  });

  it('accepts deliberate misspellings in tests', () => {
    expect(check(path.join(root, 'apps/gateway/test/a.spec.ts'), 'querry')).toMatchObject({ status: 0 });
  });

  it.each(['words.txt', 'test-words.txt'])('has a sorted dictionary %s without duplicates', (file) => {
    const lines = readFileSync(path.join(__dirname, file), 'utf8').split('\n');
    const words = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(words).toEqual([...new Set(words)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  });
});

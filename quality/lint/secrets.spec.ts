import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

const checkout = path.resolve(__dirname, '../..');
const secretlint = path.join(checkout, 'node_modules/secretlint/bin/secretlint.js');

/** What the scan says of a text. */
function scan(text: string): string {
  const options = { cwd: checkout, input: text, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [secretlint, '--stdinFileName', 'leak.env'], options).stdout;
}

const key = randomBytes(32).toString('base64');

it.each([
  ['an encryption key', `Service__Encryption__Keys=k1:${key}`],
  ['a signing secret', `SECRET=whsec_${key}`],
  [
    'the URL of a database',
    `DATABASE=postgres://canvass:${randomBytes(8).toString('hex')}@db.internal/canvass`,
  ],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${key}\n`],
])('the scan of secrets finds %s', (_what, text) => {
  expect(scan(text)).toContain('1 problem');
});

it('the scan of secrets accepts a template value', () => {
  expect(scan('URL=postgres://canvass:replace@postgres.example.com:5432/canvass')).toBe('');
});

import { maskSecrets } from '../src/pipeline/request-headers';

it.each([
  ['as it is', (key: string) => `you sent ${key}`],
  ['in JSON', (key: string) => JSON.stringify({ headers: { 'x-key': key } })],
])('masks a secret that comes back %s', (_how, echo) => {
  for (const key of ['canary-4f1d2c', 'canary"4f\\1d2c']) {
    const body = maskSecrets(Buffer.from(echo(key)), [key]).toString();
    expect(body).toBe(echo('********'));
  }
});

import dns from 'node:dns';
import { systemResolver } from '../src';

const notFound = () => Promise.reject(Object.assign(new Error('not in DNS'), { code: 'ENOTFOUND' }));

beforeEach(() => {
  jest.spyOn(dns.promises.Resolver.prototype, 'resolve4').mockImplementation(notFound);
  jest.spyOn(dns.promises.Resolver.prototype, 'resolve6').mockImplementation(notFound);
});
afterEach(() => jest.restoreAllMocks());

it('limits concurrent and waiting lookups of a slow operating system', async () => {
  let asked = 0;
  let atOnce = 0;
  let most = 0;
  const answers: (() => void)[] = [];
  jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => {
    asked += 1;
    most = Math.max(most, (atOnce += 1));
    await new Promise<void>((resolve) => answers.push(resolve));
    atOnce -= 1;
    return [{ address: '192.0.2.1', family: 4 }];
  }) as unknown as typeof dns.promises.lookup);

  const found = Array.from({ length: 2_000 }, (_, n) =>
    systemResolver(`host-${n}.internal`).then(
      ([address]) => address,
      ({ code }: NodeJS.ErrnoException) => code,
    ),
  );
  // Lookups beyond the limit fail at once, while the others still wait.
  expect(await Promise.all(found.slice(-500))).toEqual(Array(500).fill('ENOTFOUND'));
  let open = true;
  void Promise.all(found).then(() => (open = false));
  while (open) {
    answers.splice(0).forEach((answer) => answer());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const results = await Promise.all(found);
  expect(results.slice(0, 2)).toEqual(['192.0.2.1', '192.0.2.1']);
  expect(results.filter((result) => result === '192.0.2.1')).toHaveLength(asked);
  expect(most).toBeLessThanOrEqual(2);

  const later = systemResolver('later.internal');
  while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
  answers.forEach((answer) => answer());
  expect(await later).toEqual(['192.0.2.1']);
});

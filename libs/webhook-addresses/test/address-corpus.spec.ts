import { reachable, refusedLiterals, refusedNames } from '@canvass/testing';
import { checkWebhookUrl, createAddressPolicy } from '../src';

const policy = createAddressPolicy();

it('the corpus is complete', () => {
  expect(refusedLiterals.length + refusedNames.length).toBeGreaterThanOrEqual(120);
});

describe('at save', () => {
  it.each(refusedLiterals)('refuses $what: $url', async ({ url }) => {
    const asked: string[] = [];
    const resolver = (host: string) => (asked.push(host), Promise.resolve(['93.184.216.34']));
    expect(await checkWebhookUrl(url, policy, resolver)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^must/),
    });
    expect(asked).toEqual([]);
  });

  it.each(refusedNames)('refuses $host, which resolves to $addresses', async ({ host, addresses }) => {
    const verdict = await checkWebhookUrl(`https://${host}/hook`, policy, () => Promise.resolve(addresses));
    expect(verdict).toMatchObject({ ok: false });
  });

  it.each(reachable)('accepts $host', async ({ host, addresses }) => {
    const verdict = await checkWebhookUrl(`https://${host}/hook`, policy, () => Promise.resolve(addresses));
    expect(verdict).toEqual({ ok: true });
  });
});

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createSecretBox, encryptionSettingsSchema, SecretBoxError } from '../src';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const k1 = newKey('k1');
const k2 = newKey('k2');
const box = createSecretBox([k1]);

it('opens what it sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(box.open(box.seal(text, context), context)).toBe(text);
    }),
  );
});

it('seals differently each time and reveals nothing of the text', () => {
  const sealed = box.seal('whsec_very-secret', 'endpoint:1');
  expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
  expect(sealed).not.toBe(box.seal('whsec_very-secret', 'endpoint:1'));
  expect(Buffer.from(sealed.split('.')[3]!, 'base64url').toString()).not.toContain('secret');
});

it('does not open in another place', () => {
  expect(() => box.open(box.seal('x', 'endpoint:1'), 'endpoint:2')).toThrow(SecretBoxError);
});

it('does not open with one changed character, wherever it is', () => {
  const sealed = box.seal('a secret', 'c');
  for (let at = 0; at < sealed.length - 1; at += 1) {
    // The last character may hold unused bits; every other one matters.
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => box.open(changed, 'c')).toThrow(SecretBoxError);
  }
});

it.each(['', 'v1', 'v1.k1', 'v1.k1..', 'v1.k1.AAAA.AAAA', 'v2.k1.a.b', 'plain text', 'v1.k1.a.b.c'])(
  'does not open %j',
  (text) => expect(() => box.open(text, 'c')).toThrow(SecretBoxError),
);

it('rotates: the new key seals, the old one still opens until it is removed', () => {
  const old = box.seal('x', 'c');
  const rotated = createSecretBox([k2, k1]);
  expect(rotated.open(old, 'c')).toBe('x');
  expect(rotated.isStale(old)).toBe(true);
  const fresh = rotated.seal('x', 'c');
  expect(fresh).toMatch(/^v1\.k2\./);
  expect(rotated.isStale(fresh)).toBe(false);
  expect(() => createSecretBox([k2]).open(old, 'c')).toThrow('not configured');
});

it.each([
  [[], 'no encryption key'],
  [['k1:short'], 'encryption key 0'],
  [[k1, newKey('k1')], 'used twice'],
  [[k1, `k 2:${k2.slice(3)}`], 'encryption key 1'],
])('rejects other keys (%#)', (keys, message) => {
  expect(() => createSecretBox(keys)).toThrow(message);
  expect(encryptionSettingsSchema.validate({ Keys: keys }).error).toBeDefined();
});

it('does not repeat a bad key in the message of the configuration check', () => {
  expect(encryptionSettingsSchema.validate({ Keys: ['k1:not-a-key'] }).error?.message).not.toContain(
    'not-a-key',
  );
});

import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { encryptionKeyPattern } from './settings';

const version = 'v1';
const ivBytes = 12; // 96 random bits, as NIST SP 800-38D recommends for GCM
const tagBytes = 16;

/**
 * A sealed text that cannot be opened: wrong key, wrong context, or changed bytes. It does not reveal the
 * content.
 */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

export interface SecretBox {
  /**
   * Encrypts a text for one place. `context` names the place (`signing-key:42`), so a copy in another row
   * cannot be opened. Returns `v1.<key id>.<iv>.<cipher text and tag>` in base64url.
   */
  seal(plain: string, context: string): string;
  /** The plain text. Throws SecretBoxError. */
  open(sealed: string, context: string): string;
  /** Returns whether it was sealed with a key other than the first, so that it needs re-encryption. */
  isStale(sealed: string): boolean;
}

/**
 * Encryption at rest with AES-256-GCM. `keys` is `Service:Encryption:Keys`, each `<key id>:<base64 of 32
 * bytes>`. The first key encrypts, all decrypt. To rotate, put a new key first and keep the old one until
 * nothing is sealed with it.
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const byId = new Map<string, KeyObject>();
  for (const [index, text] of keys.entries()) {
    const id = text.slice(0, text.indexOf(':'));
    // Names the position only: this message is logged, and the text is a secret.
    if (!encryptionKeyPattern.test(text))
      throw new Error(`encryption key ${index} is not <key id>:<base64 of 32 bytes>`);
    if (byId.has(id)) throw new Error(`the encryption key id ${id} is used twice`);
    byId.set(id, createSecretKey(Buffer.from(text.slice(id.length + 1), 'base64')));
  }
  const [first] = byId;
  if (!first) throw new Error('there is no encryption key');
  const [currentId, currentKey] = first;

  const associatedData = (keyId: string, context: string) => Buffer.from(`${version}.${keyId}.${context}`);

  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', currentKey, iv, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(currentId, context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, currentId, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [format, keyId = '', ivText = '', cipherText = '', ...rest] = sealed.split('.');
      const key = byId.get(keyId);
      if (format !== version || rest.length > 0)
        throw new SecretBoxError('the sealed text has an unknown format');
      if (!key)
        throw new SecretBoxError(
          `the sealed text needs the encryption key ${keyId}, which is not configured`,
        );
      try {
        const bytes = Buffer.from(cipherText, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(ivText, 'base64url'), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(associatedData(keyId, context));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString(
          'utf8',
        );
      } catch (err) {
        throw new SecretBoxError(
          `the sealed text cannot be opened with the encryption key ${keyId}: it was sealed with another key of this name, or changed`,
          { cause: err },
        );
      }
    },
    isStale: (sealed) => sealed.split('.')[1] !== currentId,
  };
}

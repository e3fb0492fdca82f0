import type { Role } from '@canvass/auth';
import { idSchema, instantSchema, visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rolesSchema } from '../users';

/** A service account in the API. Its secret is only in the response to the create. */
export interface ServiceAccount {
  id: string;
  clientId: string;
  name: string;
  roles: Role[];
  isEnabled: boolean;
  /** Null: it does not expire. */
  expiresAt: Date | null;
  /** The time when it last got a token, to the minute; null: never. */
  lastUsedAt: Date | null;
  /** The forms that it is restricted to; null: all forms. */
  formIds: string[] | null;
  /** The time until which the secret before the last rotation is valid; null: it is not. */
  previousSecretExpiresAt: Date | null;
  revision: string;
  createdAt: Date;
  modifiedAt: Date;
}

export interface NewServiceAccount {
  name: string;
  roles: Role[];
  isEnabled: boolean;
  expiresAt: Date | null;
  formIds: string[] | null;
}

export type ServiceAccountChange = Partial<NewServiceAccount>;

const name = visibleText(200).description('purpose of the account').example('Data warehouse');
const isEnabled = Joi.boolean().description('whether it can get tokens');

const expiresAt = instantSchema('when it stops to get tokens; null: never').allow(null);
const formIds = Joi.array<string[]>()
  .items(idSchema)
  .unique()
  .min(1)
  .max(100)
  .allow(null)
  .description('ids of the forms that it is restricted to; null: all forms')
  .example(['124582219177164800']);

export const newServiceAccountSchema = Joi.object<NewServiceAccount>({
  name: name.required(),
  roles: rolesSchema.default(['Integration']).description('roles of the account'),
  isEnabled: isEnabled.default(true),
  expiresAt: expiresAt.default(null),
  formIds: formIds.default(null),
}).example({ name: 'Data warehouse', roles: ['Integration'] });

export const serviceAccountChangeSchema = Joi.object<ServiceAccountChange>({
  name,
  roles: rolesSchema.description('roles of the account, effective with its next token'),
  isEnabled,
  expiresAt,
  formIds,
}).example({ expiresAt: '2027-06-30T00:00:00Z' });

export const newClientId = () => `sa_${randomBytes(12).toString('base64url')}`;

/** 256 random bits, with a prefix that scanners for leaked secrets recognize. */
export const newClientSecret = () => `cvs_${randomBytes(32).toString('base64url')}`;

/** A fast hash is enough for a secret that cannot be guessed. A slow hash would only slow down responses. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const dummyHash = Buffer.alloc(32);

/** Compares in constant time, even for an unknown account. `stored` are the valid secrets. */
export function secretMatches(stored: readonly Buffer[], secret: string): boolean {
  const hash = secretHash(secret);
  const compared = stored.length > 0 ? stored : [dummyHash];
  return compared.map((each) => timingSafeEqual(each, hash)).includes(true) && stored.length > 0;
}

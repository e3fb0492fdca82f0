import type { Role } from '@canvass/auth';
import { visibleText } from '@canvass/service-kit';
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
  revision: string;
  createdAt: Date;
  modifiedAt: Date;
}

export interface NewServiceAccount {
  name: string;
  roles: Role[];
  isEnabled: boolean;
}

export type ServiceAccountChange = Partial<NewServiceAccount>;

const name = visibleText(200).description('purpose of the account').example('Data warehouse');
const isEnabled = Joi.boolean().description('whether it can get tokens');

export const newServiceAccountSchema = Joi.object<NewServiceAccount>({
  name: name.required(),
  roles: rolesSchema.default(['Integration']).description('roles of the account'),
  isEnabled: isEnabled.default(true),
});

export const serviceAccountChangeSchema = Joi.object<ServiceAccountChange>({
  name,
  roles: rolesSchema.description('roles of the account, effective with its next token'),
  isEnabled,
}).min(1);

export const newClientId = () => `sa_${randomBytes(12).toString('base64url')}`;

/** 256 random bits, with a prefix that scanners for leaked secrets recognize. */
export const newClientSecret = () => `cvs_${randomBytes(32).toString('base64url')}`;

/** A fast hash is enough for a secret that cannot be guessed. A slow hash would only slow down responses. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const dummyHash = Buffer.alloc(32);

/** In constant time, even for an unknown account. */
export function secretMatches(stored: Buffer | undefined, secret: string): boolean {
  return timingSafeEqual(stored ?? dummyHash, secretHash(secret)) && stored !== undefined;
}

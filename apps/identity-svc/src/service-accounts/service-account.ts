import type { Role } from '@canvass/auth';
import { visibleText } from '@canvass/service-kit';
import Joi from 'joi';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rolesSchema } from '../users';

/** A service account as the API shows it; its secret is shown once, in the answer to the create. */
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

const name = visibleText(200).description('what it is for').example('Data warehouse');
const isEnabled = Joi.boolean().description('whether it gets tokens');

export const newServiceAccountSchema = Joi.object<NewServiceAccount>({
  name: name.required(),
  roles: rolesSchema.default(['Integration']).description('what it may do'),
  isEnabled: isEnabled.default(true),
});

export const serviceAccountChangeSchema = Joi.object<ServiceAccountChange>({
  name,
  roles: rolesSchema.description('what it may do, from the next token on'),
  isEnabled,
}).min(1);

export const newClientId = () => `sa_${randomBytes(12).toString('base64url')}`;

/** 256 random bits, with a prefix by which scanners for leaked secrets know it. */
export const newClientSecret = () => `cvs_${randomBytes(32).toString('base64url')}`;

/** A fast hash is enough for a secret that cannot be guessed; a slow one would only make our own answers slow. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const nobodysHash = Buffer.alloc(32);

/** In constant time, also for an account that does not exist. */
export function secretMatches(stored: Buffer | undefined, secret: string): boolean {
  return timingSafeEqual(stored ?? nobodysHash, secretHash(secret)) && stored !== undefined;
}

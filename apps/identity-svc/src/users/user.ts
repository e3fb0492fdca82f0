import { roles, type Role } from '@canvass/auth';
import { visibleText } from '@canvass/service-kit';
import Joi from 'joi';

/** A user in the API. */
export interface User {
  id: string;
  email: string;
  name: string | null;
  roles: Role[];
  isEnabled: boolean;
  revision: string;
  createdAt: Date;
  modifiedAt: Date;
  lastSignInAt: Date | null;
}

export interface NewUser {
  email: string;
  name: string | null;
  password: string;
  roles: Role[];
  isEnabled: boolean;
}

/** `null` removes the name. Absent members do not change. */
export type UserChange = Partial<NewUser>;

/** Stored and compared in lower case. */
const emailSchema = Joi.string().trim().lowercase().email({ tlds: false }).max(254);

export const rolesSchema = Joi.array<Role[]>()
  .items(Joi.string().valid(...roles))
  .unique();

const name = visibleText(200).allow(null).description('name of the person').example('Grace Hopper');

const email = emailSchema.description('e-mail address for signing in').example('grace@example.org');
const isEnabled = Joi.boolean().description('whether the user may sign in');

/** A newly chosen password. A password that is only compared may have any length. */
export const newPasswordSchema = Joi.string()
  .min(10)
  .max(200)
  .description('a new password; none of the most used ones, and not the address, name or tenant of the user')
  .example('correct horse battery');

export const newUserSchema = Joi.object<Omit<NewUser, 'password'> & { password?: string }>({
  email: email.required(),
  name: name.default(null),
  password: newPasswordSchema.description(
    'a password; without one, the user sets it with a link (`makePasswordLink`)',
  ),
  roles: rolesSchema.default([]).description('roles of the user'),
  isEnabled: isEnabled.default(true),
}).example({ email: 'grace@example.org', name: 'Grace Hopper', roles: ['Editor'] });

/** Members that users may change of themselves. */
export const ownChangeMembers = { email, name };

export const userChangeSchema = Joi.object<UserChange>({
  email,
  name,
  password: newPasswordSchema.description('a new password; ends all sessions'),
  roles: rolesSchema.description('roles of the user, effective with the next tokens'),
  isEnabled,
}).example({ roles: ['Viewer'], isEnabled: false });

import { roles, type Role } from '@canvass/auth';
import { visibleText } from '@canvass/service-kit';
import Joi from 'joi';

/** A user as the API shows it. */
export interface User {
  id: string;
  email: string;
  name: string | null;
  roles: Role[];
  isEnabled: boolean;
  revision: string;
  createdAt: Date;
  modifiedAt: Date;
}

export interface NewUser {
  email: string;
  name: string | null;
  password: string;
  roles: Role[];
  isEnabled: boolean;
}

/** `null` removes the name; what is absent stays. */
export type UserChange = Partial<NewUser>;

/** Stored and compared in lower case. */
export const emailSchema = Joi.string().trim().lowercase().email({ tlds: false }).max(254);

export const rolesSchema = Joi.array<Role[]>()
  .items(Joi.string().valid(...roles))
  .unique();

const name = visibleText(200).allow(null).description('what the person is called').example('Grace Hopper');

const email = emailSchema.description('to sign in with').example('grace@example.org');
const isEnabled = Joi.boolean().description('whether the user may sign in');

/** A password somebody chooses; one that is sent to be compared may be of any length. */
export const newPasswordSchema = Joi.string()
  .min(10)
  .max(200)
  .description('a password that somebody chooses')
  .example('correct horse battery');

export const newUserSchema = Joi.object<NewUser>({
  email: email.required(),
  name: name.default(null),
  password: newPasswordSchema.required(),
  roles: rolesSchema.default([]).description('what the user may do'),
  isEnabled: isEnabled.default(true),
});

export const userChangeSchema = Joi.object<UserChange>({
  email,
  name,
  password: newPasswordSchema.description('another password; ends all sessions'),
  roles: rolesSchema.description('what the user may do, from the next tokens on'),
  isEnabled,
}).min(1);

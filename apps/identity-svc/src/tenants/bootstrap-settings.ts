import Joi from 'joi';
import { isCommonPassword } from '../users';

/** A tenant that is created at the first start, with its first administrator. */
export interface BootstrapTenant {
  Name: string;
  AdminEmail: string;
  AdminPassword: string;
  /** A service account with the role Integration, for a first integration. */
  ServiceAccount?: { ClientId: string; ClientSecret: string };
}

const secret = { secret: true };

/** `Service:Bootstrap`. */
export const bootstrapSchema = Joi.array<BootstrapTenant[]>()
  .items(
    Joi.object({
      Name: Joi.string()
        .trim()
        .min(1)
        .max(200)
        .required()
        .description('Name of the tenant, which is created once.'),
      AdminEmail: Joi.string()
        .email({ tlds: false })
        .lowercase()
        .max(254)
        .required()
        .description('E-mail address of its first administrator.'),
      AdminPassword: Joi.string()
        .min(10)
        .max(200)
        .required()
        .custom((value: string, { message }) =>
          isCommonPassword(value) ? message({ custom: 'must not be one of the most used passwords' }) : value,
        )
        .meta(secret)
        .description('None of the most used passwords.'),
      ServiceAccount: Joi.object({
        ClientId: Joi.string()
          .pattern(/^[A-Za-z0-9._-]{3,100}$/)
          .required()
          .description('`client_id` of a first service account with the role Integration.'),
        ClientSecret: Joi.string().min(32).max(200).required().meta(secret).description('Random characters.'),
      }),
    }),
  )
  .unique('Name')
  .default([])
  .description('Tenants to create if missing. Existing tenants are not changed.');

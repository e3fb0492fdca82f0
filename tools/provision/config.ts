import { serviceRoles } from '@canvass/postgres';
import Joi from 'joi';

/** `Service:Provision`, read by the provisioning command only. */
export interface ProvisionConfig {
  Service: {
    Provision: {
      AdminUrl: string;
      /** Password of each service's database role; a service without one is left alone. */
      Passwords: Partial<Record<ProvisionedSchema, string>>;
    };
  };
}

export const provisionedSchemas = ['Identity', 'Submissions', 'DataLists', 'WebHooks'] as const;
export type ProvisionedSchema = (typeof provisionedSchemas)[number];

/** Schema and role behind a key of `Passwords`. */
export function roleOf(key: ProvisionedSchema): { schema: string; role: string } {
  const found = serviceRoles.find(({ schema }) => schema === key.toLowerCase());
  if (found === undefined) throw new Error(`No service has the schema ${key}.`);
  return found;
}

const password = Joi.string().min(12).max(200).meta({ secret: true });

export const configSchema = Joi.object<ProvisionConfig>({
  Service: Joi.object({
    Provision: Joi.object({
      AdminUrl: Joi.string()
        .uri({ scheme: ['postgres', 'postgresql'] })
        .required()
        .meta({ secret: true })
        .description('Connection URL of a superuser, or of the owner of the database who may create roles.'),
      Passwords: Joi.object(
        Object.fromEntries(
          provisionedSchemas.map((key) => [
            key,
            password.description(`Password for the role ${roleOf(key).role}. Each run sets it.`),
          ]),
        ),
      )
        .min(1)
        .required(),
    }).required(),
  }).required(),
});

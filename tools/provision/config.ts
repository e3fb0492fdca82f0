import { defaultPrefix, serviceSchemas } from '@canvass/postgres';
import Joi from 'joi';

/** `Service:Provision`, read by the provisioning command only. */
export interface ProvisionConfig {
  Service: {
    Provision: {
      AdminUrl: string;
      /** The first word of the names of all roles and users. */
      Prefix: string;
      /** Password of each service's database role; a service without one is left alone. */
      Passwords: Partial<Record<ProvisionedSchema, string>>;
      /** Password of the role that owns the schema of a service; without one its own role does. */
      OwnerPasswords: Partial<Record<ProvisionedSchema, string>>;
      /** Absent: RabbitMQ is left alone. */
      Broker?: {
        ManagementUrl: string;
        VirtualHost: string;
        /** Password of each service's user. */
        Passwords: Record<BrokerPart, string>;
      };
    };
  };
}

export const provisionedSchemas = ['Identity', 'Submissions', 'DataLists', 'WebHooks'] as const;
export type ProvisionedSchema = (typeof provisionedSchemas)[number];

/** The services with RabbitMQ, by their keys in `Broker:Passwords`. */
export const brokerParts = {
  Submissions: 'submissions-svc',
  DataLists: 'datalists-svc',
  WebHooks: 'webhook-relay-svc',
} as const;
export type BrokerPart = keyof typeof brokerParts;

/** Schema behind a key of `Passwords`. */
export function schemaOf(key: ProvisionedSchema): string {
  const found = serviceSchemas.find(({ schema }) => schema === key.toLowerCase());
  if (found === undefined) throw new Error(`No service has the schema ${key}.`);
  return found.schema;
}

const password = Joi.string().min(12).max(200).meta({ secret: true });

const forEach = (keys: readonly string[], schema: Joi.Schema) =>
  Object.fromEntries(keys.map((key) => [key, schema]));

export const configSchema = Joi.object<ProvisionConfig>({
  Service: Joi.object({
    Provision: Joi.object({
      AdminUrl: Joi.string()
        .uri({ scheme: ['postgres', 'postgresql'] })
        .required()
        .meta({ secret: true })
        .description('Connection URL of a superuser, or of the owner of the database who may create roles.'),
      Prefix: Joi.string()
        .pattern(/^[a-z][a-z0-9_]{0,29}$/)
        .default(defaultPrefix)
        .description(
          'First word of the names of roles and RabbitMQ users, as in canvass_identity. Each installation on a server needs its own, with its own database and virtual host.',
        ),
      Passwords: Joi.object(
        forEach(
          provisionedSchemas,
          password.description('Password for the database role of the service. Each run sets it.'),
        ),
      )
        .min(1)
        .required(),
      OwnerPasswords: Joi.object(
        forEach(
          provisionedSchemas,
          password.description(
            'Password for a role with the suffix _owner, which then owns and migrates the schema. Once given, give it always.',
          ),
        ),
      ).default({}),
      Broker: Joi.object({
        ManagementUrl: Joi.string()
          .uri({ scheme: ['http', 'https'] })
          .required()
          .meta({ secret: true })
          .description('Base URL of the management API of RabbitMQ with the login of an administrator.'),
        VirtualHost: Joi.string().default('/').description('Virtual host of the services, which must exist.'),
        Passwords: Joi.object(
          forEach(
            Object.keys(brokerParts),
            password
              .required()
              .description('Password for the RabbitMQ user of the service. Each run sets it.'),
          ),
        ).required(),
      }),
    }).required(),
  }).required(),
});

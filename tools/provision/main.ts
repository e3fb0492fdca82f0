import { brokerRights, serviceTopology } from '@canvass/contracts';
import { provisionBroker } from '@canvass/messaging';
import { loginOf, provision } from '@canvass/postgres';
import { loadConfig } from '@canvass/service-kit';
import { brokerParts, configSchema, provisionedSchemas, schemaOf, type BrokerPart } from './config';

/**
 * Prepares the database for the services: one role and one schema each, and the extensions. Prepares RabbitMQ,
 * if configured: queues and exchanges, and one user for each service. Safe to repeat.
 * In the image: `node dist/tools/provision.js`.
 */
async function main(): Promise<void> {
  const { AdminUrl, Prefix, Passwords, OwnerPasswords, Broker } = loadConfig(configSchema).Service.Provision;
  const services = provisionedSchemas.flatMap((key) => {
    const password = Passwords[key];
    if (password === undefined) return [];
    const ownerPassword = OwnerPasswords[key];
    const schema = schemaOf(key);
    return [
      {
        schema,
        role: loginOf(Prefix, schema),
        password,
        ...(ownerPassword === undefined ? {} : { ownerPassword }),
      },
    ];
  });
  await provision(AdminUrl, services);
  console.log(`Provisioned: ${services.map(({ schema, role }) => `${schema} (${role})`).join(', ')}.`);
  if (Broker === undefined) return;
  const users = (Object.keys(brokerParts) as BrokerPart[]).map((key) => {
    const rights = brokerRights.find(({ service }) => service === brokerParts[key])!;
    return { ...rights, user: loginOf(Prefix, rights.schema), password: Broker.Passwords[key] };
  });
  await provisionBroker(
    { managementUrl: Broker.ManagementUrl, virtualHost: Broker.VirtualHost },
    serviceTopology,
    users,
  );
  console.log(`Provisioned RabbitMQ: ${users.map(({ user }) => user).join(', ')}.`);
}

main().catch((error: unknown) => {
  console.error(
    `The servers cannot be provisioned: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});

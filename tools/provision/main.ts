import { provision } from '@canvass/postgres';
import { loadConfig } from '@canvass/service-kit';
import { configSchema, provisionedSchemas, roleOf } from './config';

/**
 * Prepares the database for the services: one role and one schema each, and the extensions. Safe to repeat.
 * In the image: `node dist/tools/provision.js`.
 */
async function main(): Promise<void> {
  const { AdminUrl, Passwords } = loadConfig(configSchema).Service.Provision;
  const services = provisionedSchemas.flatMap((key) => {
    const password = Passwords[key];
    return password === undefined ? [] : [{ ...roleOf(key), password }];
  });
  await provision(AdminUrl, services);
  console.log(`Provisioned: ${services.map(({ schema, role }) => `${schema} (${role})`).join(', ')}.`);
}

main().catch((error: unknown) => {
  console.error(
    `The database cannot be provisioned: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});

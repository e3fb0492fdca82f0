import { runCommand, startTestServers } from '../infra';

/**
 * Starts the test servers and prints their environment variables as JSON. `@canvass/testing` runs it when a
 * spec first asks for a server.
 */
runCommand(async () => {
  const variables = await startTestServers((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(JSON.stringify(variables));
  return 0;
});

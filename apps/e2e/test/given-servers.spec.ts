import { checkGivenServers } from '@canvass/infra';
import { stackFile } from '../src/stack';

it('npm start accepts servers that answer', async () => {
  const { databaseUrl, amqpUrl } = await stackFile();
  await expect(checkGivenServers({ databaseUrl, amqpUrl })).resolves.toBeUndefined();
});

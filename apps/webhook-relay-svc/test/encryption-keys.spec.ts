import { createSecretBox } from '@canvass/auth';
import { eventually, webhookSink } from '@canvass/testing';
import { signingSecretContext } from '../src/endpoints';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [old, fresh] = [key('old', 1), key('new', 2)];

/** All that is sealed, as it is kept. */
const sealed = async () => {
  const [row] = await world.db.query<{ secrets: string[]; keys: string[] }>(
    `select array(select sealed from endpoint_secrets) as secrets,
       array(select credentials_sealed from settings_targets where credentials_sealed is not null) as keys`,
  );
  return row!;
};

it('re-encrypts values of an old encryption key and still signs and authenticates with them', async () => {
  const sink = await webhookSink();
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url, undefined, { header: 'X-Key', apiKey: 'the-api-key' });
  tenant.configure('SubmissionCompleted', [endpoint]);

  const before = await world.relay({ encryptionKeys: [old] });
  await world.publish(tenant.event());
  await eventually(() => expect(sink.requests).toHaveLength(1));
  await before.stop();
  const [secret] = (await sealed()).secrets;
  const place = signingSecretContext({ tenantId: tenant.tenantId, endpointId: endpoint.endpointId });
  const plain = createSecretBox([old]).open(secret!, place);

  const between = await world.relay({ encryptionKeys: [fresh, old] });
  await eventually(async () => {
    const { secrets, keys } = await sealed();
    expect([secrets.length, keys.length]).toEqual([1, 1]);
    for (const each of [...secrets, ...keys]) expect(each).toMatch(/^v1\.new\./);
  });
  await between.stop();
  expect(createSecretBox([fresh]).open((await sealed()).secrets[0]!, place)).toBe(plain);

  const after = await world.relay({ encryptionKeys: [fresh] });
  await world.publish(tenant.event());
  await eventually(() => expect(sink.requests).toHaveLength(2));
  expect(sink.requests[1]!.headers['x-key']).toBe('the-api-key');
  await after.stop();
  await sink.close();
});

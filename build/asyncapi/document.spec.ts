import { Parser } from '@asyncapi/parser';
import { eventTypes, serviceTopology } from '@canvass/contracts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asyncApiDocument, eventsBoundBy, exampleConsumer, type AsyncApiDocument } from '.';

const document = asyncApiDocument('0.0.0', exampleConsumer);

/** The validator takes its time with the whole. */
function ofOneEvent(): AsyncApiDocument {
  const { channels, operations, components, ...rest } = structuredClone(document);
  const { formCreated } = components.messages;
  return {
    ...rest,
    channels: { formCreated: channels['formCreated']! },
    operations: { sendFormCreated: operations['sendFormCreated']! },
    components: { messages: { formCreated: { ...formCreated, payload: {}, headers: {} } }, schemas: {} },
  };
}

describe('the AsyncAPI document', () => {
  it('is accepted by the validator of AsyncAPI', async () => {
    expect(await faultsOf(document)).toEqual([]);
  }, 300_000);

  it('is held to account by that validator', async () => {
    const misspelt = ofOneEvent();
    misspelt.channels['formCreated']!['adress'] = 'form.created';
    expect((await faultsOf(misspelt)).join('\n')).toContain('adress');
    const dangling = ofOneEvent();
    dangling.operations['sendFormCreated']!['channel'] = { $ref: '#/channels/none' };
    expect((await faultsOf(dangling)).join('\n')).toContain('#/channels/none');
  }, 300_000);

  it('has every event once, sent by its routing key', () => {
    const sent = Object.values(document.operations).filter(({ action }) => action === 'send');
    const keys = sent.map(({ channel }) => {
      const name = (channel as { $ref: string }).$ref.replace('#/channels/', '');
      return document.channels[name]!.address;
    });
    expect(keys).toEqual(eventTypes);
  });

  it('knows what a binding lets through as RabbitMQ does', () => {
    expect(eventsBoundBy('form.*')).toEqual(eventTypes.filter((type) => type.startsWith('form.')));
    expect(eventsBoundBy('#')).toEqual(eventTypes);
    expect(eventsBoundBy('submission.completed')).toEqual(['submission.completed']);
    expect(eventsBoundBy('*')).toEqual([]);
  });

  it('has the queues of the topology that are bound to events', () => {
    const bound = serviceTopology.queues.filter(({ bindings }) =>
      bindings.some(({ exchange }) => exchange === 'service.events'),
    );
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses).toEqual(expect.arrayContaining(bound.map(({ name }) => name)));
  });

  it('lets the queue of a consumer drop events rather than refuse them', () => {
    const own = document.channels['exampleConsumer'] as Record<string, unknown>;
    expect(own['x-queue-arguments']).toMatchObject({ 'x-overflow': 'drop-head' });
    expect(own['description']).toContain('drop-head');
  });

  it('shows the example consumer as its code is', () => {
    const code = readFileSync(path.join(__dirname, '../../examples/consumer.mjs'), 'utf8');
    expect(code).toContain(`'${exampleConsumer.queue}'`);
    const declared = /assertQueue\(queue, \{\s*durable: true,\s*arguments: (\{[^}]*\})/.exec(code)?.[1];
    expect(new Function(`return ${declared}`)()).toEqual(exampleConsumer.arguments);
    const bound = [...code.matchAll(/bindQueue\(queue, 'service\.events', '([^']+)'\)/g)].map(
      ([, key]) => key,
    );
    expect(bound).toEqual(exampleConsumer.routingKeys);
  });
});

/** Errors and warnings; advice on style is left out. */
async function faultsOf(api: object): Promise<string[]> {
  const diagnostics = await new Parser().validate(JSON.stringify(api));
  return diagnostics
    .filter(({ severity }) => severity <= 1)
    .map(({ message, path: at }) => `${at.join('.')}: ${message}`);
}

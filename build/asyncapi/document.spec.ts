import { Parser } from '@asyncapi/parser';
import { eventTypes, serviceTopology } from '@canvass/contracts';
import { asyncApiDocument, type AsyncApiDocument } from '.';

const document = asyncApiDocument('0.0.0');

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

  it('has no queue of Canvass, from which others may not consume', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(
      addresses.filter((address) => serviceTopology.queues.some(({ name }) => name === address)),
    ).toEqual([]);
  });
});

/** Errors and warnings; advice on style is left out. */
async function faultsOf(api: object): Promise<string[]> {
  const diagnostics = await new Parser().validate(JSON.stringify(api));
  return diagnostics
    .filter(({ severity }) => severity <= 1)
    .map(({ message, path: at }) => `${at.join('.')}: ${message}`);
}

import type { Channel, ChannelModel } from 'amqplib';
import { declareTopology } from '../src/topology';

const topology = {
  exchanges: [{ name: 'events', type: 'topic', arguments: {} }],
  queues: [{ name: 'others', arguments: {}, bindings: [] }],
} as unknown as Parameters<typeof declareTopology>[1];

/** A broker that refuses a user everything but the question whether something exists, which it answers so. */
function brokerThatAnswers(code: 403 | 404): ChannelModel {
  const refuse = (with_: number) => () =>
    Promise.reject(Object.assign(new Error('refused'), { code: with_ }));
  const channel = {
    on: () => undefined,
    close: () => Promise.resolve(),
    assertExchange: refuse(403),
    assertQueue: refuse(403),
    checkExchange: refuse(code),
    checkQueue: refuse(code),
  } as unknown as Channel;
  return { createChannel: () => Promise.resolve(channel) } as unknown as ChannelModel;
}

const logger = { warn: () => undefined, error: () => undefined } as unknown as Parameters<
  typeof declareTopology
>[2];

it('reports what is missing to a user who may not declare it', async () => {
  expect(await declareTopology(brokerThatAnswers(404), topology, logger)).toHaveLength(2);
});

it('reports nothing where the broker refuses even to say whether it exists', async () => {
  expect(await declareTopology(brokerThatAnswers(403), topology, logger)).toEqual([]);
});

import { createMetrics } from '../src';

const lines = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.registry.metrics()).split('\n');

test('every series has the label service, and process metrics exist', async () => {
  const text = await lines(createMetrics('relay'));
  expect(text).toEqual(
    expect.arrayContaining([expect.stringMatching(/^process_cpu_seconds_total{service="relay"} /)]),
  );
  expect(text.some((line) => line.startsWith('nodejs_eventloop_lag_seconds{service="relay"}'))).toBe(true);
});

test('counter, gauge and histogram with labels', async () => {
  const metrics = createMetrics('relay', { processMetrics: false });
  metrics
    .counter<'outcome'>({ name: 'deliveries_total', help: 'h', labels: ['outcome'] })
    .inc({ outcome: 'ok' }, 2);
  metrics.gauge({ name: 'pending', help: 'h', collect: () => Promise.resolve(7) });
  metrics.gauge({ name: 'in_flight', help: 'h' }).set(3);
  let states = ['open', 'closed'];
  metrics.gauge({
    name: 'breakers',
    help: 'h',
    labels: ['state'],
    collect: () => states.map((state, value) => ({ labels: { state }, value })),
  });
  metrics.histogram({ name: 'seconds', help: 'h', buckets: [1, 2] }).observe(1.5);
  expect(await lines(metrics)).toEqual(
    expect.arrayContaining([
      'deliveries_total{outcome="ok",service="relay"} 2',
      'pending{service="relay"} 7',
      'in_flight{service="relay"} 3',
      'breakers{state="closed",service="relay"} 1',
      'seconds_bucket{le="2",service="relay"} 1',
    ]),
  );
  states = ['open'];
  expect((await lines(metrics)).join()).not.toContain('state="closed"');
});

test('two registries in one process are independent', async () => {
  const [a, b] = [
    createMetrics('a', { processMetrics: false }),
    createMetrics('b', { processMetrics: false }),
  ];
  a.counter({ name: 'x_total', help: 'h' }).inc();
  expect((await lines(b)).join()).not.toContain('x_total');
});

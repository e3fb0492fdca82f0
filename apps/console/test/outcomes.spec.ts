import { outcomesOf } from '../src/signed-in/webhooks/outcomes';

it('has a line for each outcome, the most frequent first, with 0 where a bucket has none', () => {
  const buckets = [{ outcomes: { success: 3 } }, { outcomes: { success: 1, timeout: 5 } }, { outcomes: {} }];
  expect(outcomesOf({ success: 4, timeout: 5 }, buckets)).toEqual([
    { outcome: 'timeout', count: 5, values: [0, 5, 0] },
    { outcome: 'success', count: 4, values: [3, 1, 0] },
  ]);
});

it('puts the rare ones together, and loses none', () => {
  const outcomes = {
    success: 90,
    http_5xx: 40,
    timeout: 30,
    dns_error: 20,
    tls_error: 3,
    http_4xx: 2,
    http_3xx: 1,
  };
  const series = outcomesOf(outcomes, [{ outcomes }]);
  expect(series.map(({ outcome, count }) => [outcome, count])).toEqual([
    ['success', 90],
    ['http_5xx', 40],
    ['timeout', 30],
    ['dns_error', 20],
    ['', 6],
  ]);
  expect(series.map(({ values }) => values[0])).toEqual([90, 40, 30, 20, 6]);
});

it('keeps five as they are, and none as none', () => {
  const outcomes = { success: 5, http_5xx: 4, timeout: 3, dns_error: 2, tls_error: 1 };
  expect(outcomesOf(outcomes, [{ outcomes }]).map(({ outcome }) => outcome)).toEqual(Object.keys(outcomes));
  expect(outcomesOf({}, [{ outcomes: {} }])).toEqual([]);
});

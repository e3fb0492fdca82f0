import { tableOf } from './report';

it('a figure is shown with what is wanted of it', () => {
  const table = tableOf([
    { what: 'p50', value: 14.66, unit: ' ms', below: 30 },
    { what: 'rate', value: 7_999, unit: '/s', atLeast: 8_000 },
    { what: 'a ÷ b', value: 0.5, unit: '' },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| p50 | 14.7 ms | < 30.0 ms | met |',
    '| rate | 7,999/s | ≥ 8,000/s | **missed** |',
    '| a ÷ b | 0.50 |  |  |',
  ]);
});

import { tableOf } from './report';

it('a figure is shown with what is wanted of it', () => {
  const table = tableOf([
    { what: 'p50', value: 14.66, unit: ' ms', below: 30 },
    { what: 'p99', value: 60, unit: ' ms', below: 60 },
    { what: 'a ÷ b', value: 0.5, unit: '' },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| p50 | 14.7 ms | < 30.0 ms | met |',
    '| p99 | 60.0 ms | < 60.0 ms | **missed** |',
    '| a ÷ b | 0.50 |  |  |',
  ]);
});

import { laneOf } from '../src/lanes';

it.each(['0', '3', '7', '98', '100', '1299', '12345678', '9007199254740993', '9223372036854775807'])(
  'laneOf and laneSql agree on entity %s',
  (id) => expect(laneOf(id)).toBe(Number((BigInt(id) >> 1n) % 64n)),
);

import { environment } from '../src/config';
import { fuzz } from '../src/fuzz';

const seed = environment['FUZZ_SEED'] ?? new Date().toISOString();
const requests = Number(environment['FUZZ_REQUESTS'] ?? 20_000);

it(`${requests} generated requests, FUZZ_SEED=${seed}: every response is documented, and none is a 5xx`, async () => {
  expect(await fuzz(seed, requests)).toEqual([]);
});

import { createTurns, type Turns } from './turns';

const taken = async (turn: Promise<unknown>): Promise<boolean> =>
  Promise.race([turn.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

let turns: Turns;
beforeEach(() => {
  turns = createTurns({ max: 4, maxWaitMs: 60_000 });
});

it('an owner has at most half of the turns, and another one gets the rest at once', async () => {
  const first = await turns.take('a');
  await turns.take('a');
  const third = turns.take('a');
  expect(await taken(third)).toBe(false);
  expect(await taken(turns.take('b'))).toBe(true);
  expect(await taken(turns.take('c'))).toBe(true);
  const fourth = turns.take('d');
  expect(await taken(fourth)).toBe(false);
  first();
  expect(await taken(third)).toBe(true);
  expect(await taken(fourth)).toBe(false);
});

it('an owner with its half does not delay those that came later', async () => {
  const [one] = [await turns.take('a'), await turns.take('a'), await turns.take('b')];
  const other = await turns.take('b');
  const waits = turns.take('a');
  const later = turns.take('c');
  expect(await taken(later)).toBe(false);
  other();
  expect([await taken(waits), await taken(later)]).toEqual([false, true]);
  one();
  expect(await taken(waits)).toBe(true);
});

it('work without an owner has no share', async () => {
  for (let n = 0; n < 4; n += 1) await turns.take(undefined);
  expect(await taken(turns.take(undefined))).toBe(false);
});

it('one turn is for one owner after the other', async () => {
  turns = createTurns({ max: 1, maxWaitMs: 60_000 });
  const end = await turns.take('a');
  const next = turns.take('a');
  expect(await taken(next)).toBe(false);
  end();
  expect(await taken(next)).toBe(true);
});

it('a wait ends in time, or when it is aborted, and takes no turn', async () => {
  turns = createTurns({ max: 1, maxWaitMs: 20 });
  const end = await turns.take('a');
  await expect(turns.take('b')).rejects.toThrow('no turn within 20 ms');
  const abort = new AbortController();
  const aborted = turns.take('b', abort.signal);
  abort.abort(new Error('The client disconnected.'));
  await expect(aborted).rejects.toThrow('The client disconnected.');
  end();
  expect(await taken(turns.take('c'))).toBe(true);
});

it('an owner gets more than its half while no other call waits, except the last turns', async () => {
  turns = createTurns({ max: 4, maxWaitMs: 60_000, minFree: 1 });
  const [first] = [await turns.take('a'), await turns.take('a'), await turns.take('a')];
  const more = turns.take('a');
  expect(await taken(more)).toBe(false);
  expect(await taken(turns.take('b'))).toBe(true);
  const second = turns.take('b');
  expect(turns.waiting()).toBe(2);
  first();
  expect([await taken(more), await taken(second)]).toEqual([false, true]);
});

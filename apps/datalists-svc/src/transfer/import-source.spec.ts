import type { DataListItem } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FaultList } from './faults';
import { stageItems } from './import-source';

it('lets other requests run after each piece of an upload', async () => {
  const pieces = 20;
  async function* batches(): AsyncGenerator<DataListItem[]> {
    for (let piece = 0; piece < pieces; piece++) yield await Promise.resolve([]);
  }
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  const to = { tenantId: '1', listId: '2', version: '3' };
  // Without items nothing is written.
  expect(await stageItems({} as Database, to, { batches: batches(), faults: new FaultList() })).toBe(0);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(pieces);
});

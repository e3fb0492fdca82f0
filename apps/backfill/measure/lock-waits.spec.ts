import { waitsIn } from './lock-waits';

it('reads the waits of others from the log of Postgres', () => {
  const log = `
2026-11-21 04:00:00.000 UTC [11] LOG:  process 11 still waiting for ShareLock on transaction 700 after 10.012 ms
2026-11-21 04:00:00.000 UTC [11] DETAIL:  Process holding the lock: 22. Wait queue: 11.
2026-11-21 04:00:00.050 UTC [11] LOG:  process 11 acquired ShareLock on transaction 700 after 60.500 ms
2026-11-21 04:00:00.060 UTC [22] LOG:  process 22 acquired ShareLock on transaction 701 after 4000.1 ms
2026-11-21 04:00:00.070 UTC [33] LOG:  process 33 acquired ExclusiveLock on tuple (1,2) of relation 3 of database 4 after 12.3 ms
`;
  expect(waitsIn(log, new Set([22]))).toEqual({ waits: 2, longestMs: 60.5 });
});

/** A peer: pg-boss, fetched and completed in batches by its own methods: its workers pause between two batches. */
import { Client } from 'pg';
import PgBoss from 'pg-boss';
import { serveApi } from '../child';
import { eventData } from '../outbox-event';

const queue = 'nothing';
const [batchSize, fetchers] = [500, 4];

let boss: PgBoss;
let admin: Client;

const api = {
  async start(databaseUrl: string): Promise<void> {
    boss = new PgBoss({ connectionString: databaseUrl, max: 10, supervise: false, schedule: false });
    boss.on('error', console.error);
    await boss.start();
    await boss.createQueue(queue);
    admin = new Client({ connectionString: databaseUrl });
    admin.on('error', console.error);
    await admin.connect();
  },

  /** Into an empty table: completed jobs stay until maintenance archives them, and would slow the next round. */
  async fill(jobs: number): Promise<void> {
    await admin.query('truncate pgboss.job');
    const data = JSON.parse(eventData) as object;
    for (let made = 0; made < jobs; made += 5_000) {
      const length = Math.min(5_000, jobs - made);
      await boss.insert(Array.from({ length }, () => ({ name: queue, data })));
    }
  },

  async drain(jobs: number): Promise<number> {
    let done = 0;
    const started = performance.now();
    const loop = async () => {
      while (done < jobs) {
        const fetched = await boss.fetch(queue, { batchSize });
        if (fetched.length === 0) return;
        await boss.complete(
          queue,
          fetched.map(({ id }) => id),
        );
        done += fetched.length;
      }
    };
    await Promise.all(Array.from({ length: fetchers }, loop));
    if (done !== jobs) throw new Error(`${done} of ${jobs} jobs were done`);
    return (performance.now() - started) / 1000;
  },
};

export type PgBossApi = typeof api;

serveApi(api);

import { createDatabase } from '@canvass/postgres';

/**
 * A clock that tests set. Only the database's clock counts in the relay, so its functions `now()` and
 * `clock_timestamp()` are covered by two of the same name in the service's schema; every statement of the
 * relay then runs unchanged at that time.
 */
export class ControlledClock {
  private url = '';

  /** Makes the clock in a test's database and gives the URL at which it is in force. */
  readonly install = async (url: string): Promise<string> => {
    this.url = url;
    await this.run(`
      create table test_clock (ahead interval not null);
      insert into test_clock values ('0');
      create function now() returns timestamptz language sql stable as
        'select pg_catalog.now() + (select ahead from webhooks.test_clock)';
      create function clock_timestamp() returns timestamptz language sql stable as
        'select pg_catalog.clock_timestamp() + (select ahead from webhooks.test_clock)'`);
    const covered = new URL(url);
    covered.searchParams.set('options', '-c search_path=webhooks,extensions,pg_catalog');
    return covered.href;
  };

  /** Moves the clock on, for everybody at once. */
  async advance(seconds: number): Promise<void> {
    await this.run(`update test_clock set ahead = ahead + interval '1 second' * ${seconds}`);
  }

  private async run(text: string): Promise<void> {
    const db = createDatabase({ Url: this.url, PoolMax: 1 });
    await db.query(text);
    await db.close();
  }
}

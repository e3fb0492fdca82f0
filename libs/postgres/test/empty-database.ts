import { testDatabase, type TestDatabase } from '@canvass/testing';

/** A provisioned database without tables. */
export const emptyDatabase = (): Promise<TestDatabase> =>
  testDatabase({
    template: 'postgres-spec empty',
    schema: 'postgres_spec',
    prepare: () => Promise.resolve(),
  });

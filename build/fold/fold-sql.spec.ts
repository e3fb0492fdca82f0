import { readFileSync } from 'node:fs';
import path from 'node:path';
import { foldSql } from './fold-sql';

it('fold.schema.sql is up to date with fold.ts', () => {
  const file = path.join(__dirname, '../../libs/postgres/src/fold.schema.sql');
  expect(readFileSync(file, 'utf8')).toBe(foldSql());
});

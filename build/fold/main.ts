import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { foldSql } from './fold-sql';

writeFileSync(path.join(__dirname, '../../libs/postgres/src/fold.schema.sql'), foldSql());
console.log('Wrote libs/postgres/src/fold.schema.sql.');

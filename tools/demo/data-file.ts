import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The text of a file in `data`. */
export const dataFile = (name: string): string => readFileSync(path.join(__dirname, 'data', name), 'utf8');

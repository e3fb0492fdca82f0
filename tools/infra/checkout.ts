import path from 'node:path';

/** Root folder of this checkout. */
export const checkoutDir = path.resolve(__dirname, '../..');

/** What `npm start` and `npm test` keep between runs; never committed. */
export const localDir = path.join(checkoutDir, '.local');

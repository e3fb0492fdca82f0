/** The raw limit of a create: express, its JSON parser and `pg` with the service's own statement, and nothing else. */
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { serveApi } from '../child';

interface CreateStatement {
  name: string;
  text: string;
}

const api = {
  async listen(databaseUrl: string, poolMax: number, statement: CreateStatement): Promise<string> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: poolMax });
    const app = express();
    app.post('/api/forms/:formId/submissions', express.json(), async (request, response) => {
      const { jsonData } = request.body as { jsonData: string };
      const token = randomBytes(32).toString('base64url');
      const hash = createHash('sha256').update(token).digest();
      const values = [
        request.params['formId'],
        null,
        false,
        'in_progress',
        0,
        jsonData,
        '{}',
        hash,
        null,
        false,
      ];
      const { rows } = await pool.query<{ view: object }>({ ...statement, values });
      response.status(201).json({ ...rows[0]?.view, token });
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
  },
};

export type BareCreateApi = typeof api;

serveApi(api);

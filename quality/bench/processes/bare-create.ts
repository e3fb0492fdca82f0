/** The raw limit of a create: express, its JSON parser and `pg` with the service's own statement, and nothing else. */
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { serveApi } from '../child';

/** The values of the service's own statement, by name, to the statement with its values. */
type BindCreate = (values: Record<string, unknown>) => { name: string; text: string; values: unknown[] };

const api = {
  /** @param file the module of the service that exports `createAnonymous` */
  async listen(databaseUrl: string, poolMax: number, file: string): Promise<string> {
    const { createAnonymous } = (await import(file)) as { createAnonymous: BindCreate };
    const pool = new pg.Pool({ connectionString: databaseUrl, max: poolMax });
    const app = express();
    app.post('/api/forms/:formId/submissions', express.json(), async (request, response) => {
      const { jsonData } = request.body as { jsonData: string };
      const token = randomBytes(32).toString('base64url');
      const hash = createHash('sha256').update(token).digest();
      const create = createAnonymous({
        formId: request.params['formId'],
        tenantId: null,
        mayAnswerPrivate: false,
        mayTest: false,
        isComplete: false,
        collectionStatus: 'in_progress',
        currentPage: 0,
        jsonData,
        metadata: '{}',
        tokenHash: hash,
        traceparent: null,
      });
      const { rows } = await pool.query<{ view: object }>(create);
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

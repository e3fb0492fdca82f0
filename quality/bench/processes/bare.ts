/** The raw limit of a create: express, its JSON parser and `pg` with the service's own statement. */
import { createHash, randomBytes } from 'node:crypto';
import { listen } from '@canvass/testing';
import express from 'express';
import pg from 'pg';
import { serveApi } from '../../child';

/** Binds the values of a create, by name, to the service's own statement. */
export type BindCreate = (values: Record<string, unknown>) => {
  name: string;
  text: string;
  values: unknown[];
};

const api = {
  /**
   * Returns the URL of the handler.
   *
   * @param file the module of the service that exports `createAnonymous`
   */
  async create(databaseUrl: string, poolMax: number, file: string): Promise<string> {
    const { createAnonymous } = (await import(file)) as { createAnonymous: BindCreate };
    const pool = new pg.Pool({ connectionString: databaseUrl, max: poolMax });
    const app = express();
    app.post('/api/forms/:formId/submissions', express.json(), async (request, response) => {
      const { jsonData } = request.body as { jsonData: string };
      const token = randomBytes(32).toString('base64url');
      const tokenHash = createHash('sha256').update(token).digest();
      const create = createAnonymous({
        formId: request.params['formId'],
        tenantId: null,
        mayAnswerPrivate: false,
        mayTest: false,
        isTest: false,
        isComplete: false,
        collectionStatus: 'in_progress',
        currentPage: 0,
        jsonData,
        metadata: '{}',
        tokenHash,
        tokenHolder: null,
        createdBy: null,
        traceparent: null,
      });
      const { rows } = await pool.query<{ view: object }>(create);
      response.status(201).json({ ...rows[0]?.view, token });
    });
    return (await listen(app)).url;
  },
};

export type BareApi = typeof api;

serveApi(api);

import path from 'node:path';
import { checkoutDir } from '@canvass/infra';

/** The service's own statement, read from its source: a copy would soon differ. It exports `createAnonymous`. */
export const createSql = path.join(checkoutDir, 'apps/submissions-svc/src/submissions/create.sql.ts');

/** Binds the values of a create, by name, to the service's own statement. */
export type BindCreate = (values: Record<string, unknown>) => {
  name: string;
  text: string;
  values: unknown[];
};

/**
 * Returns the values of an anonymous create, as the service passes them to its statement.
 *
 * @param hash SHA-256 of the submission token
 */
export const createValues = (create: { formId: string | undefined; jsonData: string; hash: Buffer }) => ({
  formId: create.formId,
  tenantId: null,
  mayAnswerPrivate: false,
  mayTest: false,
  isTest: false,
  isComplete: false,
  collectionStatus: 'in_progress',
  currentPage: 0,
  jsonData: create.jsonData,
  metadata: '{}',
  tokenHash: create.hash,
  tokenHolder: null,
  createdBy: null,
  traceparent: null,
});

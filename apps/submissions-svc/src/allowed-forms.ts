import { permissionDenied } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import type { Endpoint, EndpointInput } from '@canvass/service-kit';

/** These compare with the forms of the caller themselves. */
const filtering = new Set(['listForms', 'getSubmissionExport', 'downloadSubmissionExport']);

/**
 * Restricts service accounts to the forms of their token. Other forms are a 404, as those of other tenants.
 * Operations without a form are a 403, because they concern all forms. Here and not in each operation, so
 * that none can forget it.
 */
export const onlyAllowedForms = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({
    ...endpoint,
    handle: async (input) => {
      assertAllowed(endpoint, input);
      return endpoint.handle(input);
    },
  }));

function assertAllowed({ operationId }: Endpoint, { principal, params }: EndpointInput): void {
  if (principal?.formIds === undefined || filtering.has(operationId)) return;
  const { formId } = params as { formId?: string };
  if (formId === undefined) throw permissionDenied('of all forms of the tenant');
  if (!principal.formIds.has(formId)) throw notFound('form', formId);
}

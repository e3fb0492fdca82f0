import type { DocumentedOperation } from './documented-operations';
import type { Route } from './permission-table';
import type { WalkedTenant } from './walked-tenant';

/** A request with ids that are not its caller's. */
export interface ForeignRequest {
  method: string;
  path: string;
  body: object | undefined;
  expected: (status: number) => boolean;
}

/** Members of bodies that name something, with what they replace. */
const namingMembers: Record<string, (tenant: WalkedTenant) => object> = {
  dataListIds: ({ ids }) => ({ dataListIds: [ids.list] }),
  formIds: ({ ids }) => ({ formIds: [ids.form] }),
  submissionIds: ({ ids }) => ({ submissionIds: [ids.submission], filter: undefined }),
  deliveryIds: ({ ids }) => ({ deliveryIds: [ids.delivery], filter: undefined }),
  scopeId: ({ ids }) => ({ scopeId: ids.form }),
};

/** Members that look like ids and name nothing of a tenant: they are ignored, or of another system. */
const harmlessMembers = ['id', 'clientId', 'client_id'];

/** Members of bodies that may name something and that the walk does not know. */
export const unknownMembers = (operation: DocumentedOperation): string[] =>
  operation.members.filter(
    (name) => /id(s)?$/i.test(name) && !(name in namingMembers) && !harmlessMembers.includes(name),
  );

/** Query parameters with foreign values. */
const queryOf = ({ query }: DocumentedOperation, { ids, marker }: WalkedTenant): string => {
  const values: Record<string, string> = {
    formId: ids.form,
    scopeId: ids.form,
    objectId: ids.form,
    entityId: ids.submission,
    endpointId: ids.endpoint,
    messageId: ids.message,
    q: marker,
    ids: ids.submission,
  };
  const named = query.flatMap((name): [string, string][] => (name in values ? [[name, values[name]!]] : []));
  return named.length === 0 ? '' : `?${new URLSearchParams(named).toString()}`;
};

/** The valid body with all that it may name replaced by what is foreign; undefined if it names nothing. */
const foreignBody = ({ body, members }: DocumentedOperation, tenant: WalkedTenant): object | undefined => {
  const naming = members.filter((name) => name in namingMembers);
  if (naming.length === 0) return undefined;
  return Object.assign({}, body, ...naming.map((name) => namingMembers[name]!(tenant))) as object;
};

const refused = (status: number) => [401, 403, 404].includes(status);
const answered = (status: number) => status < 500 && status !== 429;

/** Operations that show a restricted account itself, or only its forms. Open operations have no caller. */
const alsoRestricted = ['getMe', 'search', 'streamEvents', 'listForms'];
/** Operations that need no permission that a restricted account lacks, and no stored object. */
const namesItsLists = ['replaceForm', 'changeForm', 'issuePreviewToken'];

/**
 * Requests of a service account that is restricted to the form `own`: with foreign ids in the path, with its
 * form and foreign ids beside it, in the path, the query and the body.
 */
export function requestsOfRestricted(
  route: Route,
  operation: DocumentedOperation,
  tenant: WalkedTenant,
  own: string,
): ForeignRequest[] {
  const { method } = route;
  const path = (template: string) =>
    (tenant.fill(template) ?? template.replace(/:\w+/g, '1')).split('?')[0]! + queryOf(operation, tenant);
  const body = method === 'GET' ? undefined : operation.body;
  if (!route.path.includes(':')) {
    const mayPass = route.needs === 'open' || alsoRestricted.includes(route.operation);
    return [{ method, path: path(route.path), body, expected: mayPass ? answered : refused }];
  }
  const foreign = { method, path: path(route.path), body, expected: refused };
  if (!route.path.includes(':formId')) return [foreign];
  const beside = {
    method,
    path: path(route.path.replace(':formId', own)),
    body: foreignBody(operation, tenant) ?? body,
    expected: namesItsLists.includes(route.operation) ? refused : answered,
  };
  return [foreign, beside];
}

/**
 * Requests of an administrator of another tenant with foreign ids in the query and the body; the permission
 * walk has those in the path.
 */
export function requestsOfStranger(
  route: Route,
  operation: DocumentedOperation,
  tenant: WalkedTenant,
): ForeignRequest[] {
  if (route.path.includes(':')) return [];
  const body = foreignBody(operation, tenant);
  const query = queryOf(operation, tenant);
  if (body === undefined && query === '') return [];
  return [{ method: route.method, path: route.path + query, body, expected: answered }];
}

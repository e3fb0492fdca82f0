import type { FormAccess, FormAccessVerifier } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { ListRow } from '../catalog';
import { selectFormAndList, type FormAndList } from './access.sql';

/** The list that the bearer of a form-access token may read for a form. */
export type OpenList = (
  authorization: string | undefined,
  formId: string,
  listId: string,
) => Promise<ListRow>;

/**
 * The token must belong to the form, and both the token and the stored form must name the list. If the form
 * is unknown here, or the token has a later revision than the stored form, the form's owner has just signed
 * the token from committed state, so the token alone decides. Otherwise the stored form is checked, too. So a
 * token that is valid for an hour ends with the removal of a list and with the disabling or deletion of the
 * form. An anonymous token also ends when the form becomes private. A preview token was issued to an editor
 * of the form for lists that are not saved yet, so of the stored form only its deletion counts.
 *
 * @throws {Problem} 401 without a valid token, and if the account that it was issued to lost its tokens; 403
 * for a token of another form or a disabled form, and for an anonymous token of a private form; 404 for a
 * list that the form does not name or that does not exist, and for a deleted form
 */
export function createFormAuthorization(db: Queryable, verifier: FormAccessVerifier): OpenList {
  return async (authorization, formId, listId) => {
    const token = await verifier.verify(authorization);
    if (token.formId !== formId) throw otherForm();
    if (!token.dataListIds.includes(listId)) throw notFound('data list', listId);
    const row = await selectFormAndList(db, token.tenantId, formId, listId, token.formRevision ?? '0');
    if (row.formIsKnown) {
      if (row.isDeleted === true) throw notFound('form', formId);
      if (!token.isPreview) assertFormPermits(row, token, listId);
    }
    if (row.id === null) throw notFound('data list', listId);
    return row;
  };
}

/** @throws {Problem} `permission_denied`, or `not_found` for a list that the form does not name */
function assertFormPermits(form: FormAndList, token: FormAccess, listId: string): void {
  if (form.isEnabled !== true) throw new Problem('permission_denied', { detail: 'The form is disabled.' });
  if (token.isAnonymous && form.isPublic !== true)
    throw new Problem('permission_denied', { detail: 'The form is not public.' });
  if (form.namesList !== true) throw notFound('data list', listId);
}

function otherForm(): Problem {
  return new Problem('permission_denied', { detail: 'The form-access token belongs to another form.' });
}

import type { FormAccessVerifier } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { ListRow } from '../catalog';
import { selectFormAndList } from './access.sql';

/** The list that the bearer of a form-access token may read for a form. */
export type OpenList = (
  authorization: string | undefined,
  formId: string,
  listId: string,
) => Promise<ListRow>;

/**
 * The token must be of that form, and both the token and the form as this service knows it must name the list. A token
 * of a form that no event has told of yet, or of a later revision than the events have told, was signed a moment ago from
 * committed state by the form's owner, and then decides alone. Otherwise the form is judged by its latest event also, so that
 * a token of an hour's life does not outlive a list taken from the form, a disabled form or a deleted one.
 *
 * @throws {Problem} 401 without a valid token; 403 for another form's token or a disabled form; 404 for a list that
 * the form does not name, whether it exists or not, for one that does not exist, and for a deleted form
 */
export function createFormAuthorization(db: Queryable, verifier: FormAccessVerifier): OpenList {
  return async (authorization, formId, listId) => {
    const token = await verifier.verify(authorization);
    if (token.formId !== formId) throw otherForm();
    if (!token.dataListIds.includes(listId)) throw notFound('data list', listId);
    const row = await selectFormAndList(db, token.tenantId, formId, listId, token.formRevision ?? '0');
    if (row.formIsKnown) {
      if (row.isDeleted === true) throw notFound('form', formId);
      if (row.isEnabled !== true) throw new Problem('permission_denied', { detail: 'The form is disabled.' });
      if (row.namesList !== true) throw notFound('data list', listId);
    }
    if (row.id === null) throw notFound('data list', listId);
    return row;
  };
}

function otherForm(): Problem {
  return new Problem('permission_denied', { detail: 'The form-access token is of another form.' });
}

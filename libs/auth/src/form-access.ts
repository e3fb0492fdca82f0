import { authenticationRequired, invalidToken } from './challenge';
import { createJwksVerifier, type JwksVerifierOptions } from './jwks/jwks-verifier';
import type { Principal } from './principal';
import type { Revocations } from './revocations';
import { isId } from './settings';
import { bearerToken, isRecord } from './token-text';

/** `aud` and `iss` of form-access tokens, which submissions-svc issues with its own keys. */
export const formAccessAudience = 'canvass-form-access';
export const formAccessIssuer = 'canvass-forms';

/** The form that a form runtime shows, and the data lists it may read for it. */
export interface FormAccess {
  tenantId: string;
  formId: string;
  dataListIds: string[];
  /** The revision of the form when the token was signed; null if the token does not contain it. */
  formRevision: string | null;
  /** Returns whether it was issued to a caller without a token, because the form was public. */
  isAnonymous: boolean;
  /** Returns whether it was issued to an editor, who may read lists that the stored form does not name. */
  isPreview: boolean;
}

/**
 * The claims of a form-access token, for its issuer.
 *
 * @param holder to whom it is issued; null for a caller without an account. What revokes the tokens of a
 *   holder of the own provider revokes this one, too.
 */
export function formAccessClaims(access: FormAccess, holder: Principal | null): Record<string, unknown> {
  return {
    tid: access.tenantId,
    rid: access.formId,
    lists: access.dataListIds,
    ...(access.formRevision === null ? {} : { rev: access.formRevision }),
    ...(access.isAnonymous ? { anon: true } : {}),
    ...(holder === null || holder.kind === 'external' ? {} : { holder: revocableClaims(holder) }),
    ...(access.isPreview ? { preview: true } : {}),
  };
}

/** The claims that the feed of revocations is about. */
const revocableClaims = ({ claims: { kind, sub, ver, sid } }: Principal) => ({ kind, sub, ver, sid });

export interface FormAccessVerifier {
  /** The form access of the header's token. Throws a 401 Problem if it is missing, invalid or revoked. */
  verify(authorizationHeader: string | undefined): Promise<FormAccess>;
}

export function createFormAccessVerifier(
  options: Pick<JwksVerifierOptions, 'jwksUri' | 'fetch' | 'now' | 'onWarning'> & {
    revocations?: Pick<Revocations, 'assertNotRevoked'>;
  },
): FormAccessVerifier {
  const verifier = createJwksVerifier({
    ...options,
    issuer: formAccessIssuer,
    audience: formAccessAudience,
  });
  return {
    async verify(authorizationHeader) {
      if (authorizationHeader === undefined) throw authenticationRequired();
      const {
        tid,
        rid,
        lists,
        rev = null,
        anon = false,
        preview = false,
        holder,
      } = await verifier.verify(bearerToken(authorizationHeader));
      const sound = isId(tid) && isId(rid) && (rev === null || isId(rev));
      if (!sound || !Array.isArray(lists) || !lists.every(isId)) {
        throw invalidToken('The token is not a form-access token.');
      }
      if (isRecord(holder)) options.revocations?.assertNotRevoked(holder, undefined);
      return {
        tenantId: tid,
        formId: rid,
        dataListIds: lists,
        formRevision: rev,
        isAnonymous: anon === true,
        isPreview: preview === true,
      };
    },
  };
}

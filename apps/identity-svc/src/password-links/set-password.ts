import { recordAudit } from '@canvass/audit';
import { brokenRule, validationProblem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { revokeUserTokens } from '../revocations';
import { ownActor } from '../tokens';
import { assertNotGuessable, credentialsById, hashPassword, noteLink, replacePassword } from '../users';
import { userOfLink, useLink } from './password-links.sql';

const notValid = () => validationProblem({ token: [brokenRule('link.ended')] });

/**
 * Sets the password of the user of a link, which ends all sessions and the link. A second factor stays.
 *
 * @throws {Problem} `validation_failed` for a token that is not valid, and for a password that can be guessed
 */
export async function setPasswordByLink(db: Database, token: string, newPassword: string): Promise<void> {
  const named = await userOfLink(db, token);
  const user = named && (await credentialsById(db, named.tenantId, named.userId));
  if (!user) throw notValid();
  await assertNotGuessable(db, 'newPassword', newPassword, user);
  const passwordHash = await hashPassword(newPassword);
  await db.transaction(async (tx) => {
    const { tenantId, id } = user;
    const delivery = await useLink(tx, token);
    if (delivery === undefined) throw notValid();
    if ((await replacePassword(tx, user, passwordHash)) === undefined) throw notValid();
    await noteLink(tx, tenantId, id, delivery);
    await revokeUserTokens(tx, tenantId, id);
    await recordAudit(tx, { tenantId, object: ['user', id], actor: ownActor('user', id) });
  });
}

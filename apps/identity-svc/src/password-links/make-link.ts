import type { Principal } from '@canvass/auth';
import type { Mailer } from '@canvass/mail';
import type { Queryable } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { randomBytes } from 'node:crypto';
import type { UserCredentials } from '../users';
import type { LinkMailSettings } from '../link-mail-settings';
import { passwordMail } from './password-mail';
import { putLink } from './password-links.sql';

/** A link with which a user sets a password once. */
export interface PasswordLink {
  /** The address to which it was sent; null: the administrator has to pass it on. */
  sentTo: string | null;
  /** Null if it was sent. */
  token: string | null;
  /** Null if it was sent, or if no server of mails and no address of the console are configured. */
  url: string | null;
  expiresAt: Date;
}

export interface LinkDeps {
  db: Queryable;
  mailer: Mailer | null;
  mail: LinkMailSettings;
  logger: Pick<Logger, 'warn'>;
}

/** The one who asks for a link: a caller, the operator, or null for a person who forgot the password. */
export type LinkMaker = Principal | 'operator' | null;

/** Time for a person who was invited. */
export const invitationMinutes = 72 * 60;
/** Time for a person who has just asked for it. */
export const resetMinutes = 60;

/**
 * Makes a link, and sends it if a mail server is configured and accepts it. An earlier link ends. A link that
 * is returned is another one than the one that could not be sent: its maker can read it.
 */
export async function makeLink(
  { db, mailer, mail, logger }: LinkDeps,
  { tenantId, id, email, tokenVersion }: Pick<UserCredentials, 'tenantId' | 'id' | 'email' | 'tokenVersion'>,
  minutes: number,
  by: LinkMaker,
): Promise<PasswordLink> {
  const put = async (delivery: 'mail' | 'shown' | 'operator') => {
    const token = randomBytes(32).toString('base64url');
    const maker = by === 'operator' ? null : by;
    const link = { tenantId, userId: id, email, version: tokenVersion, minutes, delivery, maker };
    const expiresAt = await putLink(db, link, token);
    const url = mail.PasswordPage === undefined ? null : `${mail.PasswordPage}#token=${token}`;
    return { token, url, expiresAt };
  };
  if (!mailer) return { sentTo: null, ...(await put(by === 'operator' ? by : 'shown')) };
  const { token, url, expiresAt } = await put('mail');
  const mailed = await passwordMail(db, { tenantId, id, email }, url ?? token, expiresAt);
  try {
    await mailer.send(mailed);
  } catch (error) {
    logger.warn({ error }, 'failed to send a mail');
    return { sentTo: null, ...(await put('shown')) };
  }
  return { sentTo: email, token: null, url: null, expiresAt };
}

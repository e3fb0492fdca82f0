import type { Queryable } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { randomBytes } from 'node:crypto';
import type { UserCredentials } from '../users';
import type { Mailer, MailSettings } from '../mail';
import { putLink } from './password-links.sql';

/** A link with which a user sets a password once. */
export interface PasswordLink {
  /** The address to which it was sent; null: the administrator has to pass it on. */
  sentTo: string | null;
  /** Null if it was sent. */
  token: string | null;
  /** Null if it was sent, or without `Service:Mail:PasswordPage`. */
  url: string | null;
  expiresAt: Date;
}

export interface LinkDeps {
  db: Queryable;
  mailer: Mailer | null;
  mail: MailSettings;
  logger: Pick<Logger, 'warn'>;
}

/** Time for a person who was invited. */
export const invitationMinutes = 72 * 60;
/** For a person who has just asked for it. */
export const resetMinutes = 60;

/** Makes a link, and sends it if a mail server is configured and accepts it. An earlier link ends. */
export async function makeLink(
  { db, mailer, mail, logger }: LinkDeps,
  { tenantId, id, email }: Pick<UserCredentials, 'tenantId' | 'id' | 'email'>,
  minutes: number,
): Promise<PasswordLink> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = await putLink(db, { tenantId, userId: id }, token, minutes);
  const url = mail.PasswordPage === undefined ? null : `${mail.PasswordPage}#token=${token}`;
  const own = { sentTo: null, token, url, expiresAt };
  if (!mailer) return own;
  const text = `Set your password: ${url ?? token}\n\nThis works once, until ${expiresAt.toISOString()}.\n`;
  try {
    await mailer.send({ to: email, subject: 'Set your password', text });
  } catch (error) {
    logger.warn({ error }, 'failed to send a mail');
    return own;
  }
  return { sentTo: email, token: null, url: null, expiresAt };
}

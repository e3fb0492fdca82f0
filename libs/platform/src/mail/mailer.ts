import { withTimeout } from '@canvass/async';
import { createTransport } from 'nodemailer';
import type { MailSettings } from './settings';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Of subject and text, BCP 47. */
  language: string;
  /** A mail that is sent again keeps it, so that mailboxes show it once. By default a new one. */
  messageId?: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. */
  send(mail: Mail): Promise<void>;
}

const silenceMs = 10_000;
/** A server that answers in drips ends here. */
const totalMs = 45_000;

/** Null if no server is configured. */
export function createMailer({ SmtpUrl, From }: MailSettings): Mailer | null {
  if (SmtpUrl === undefined || From === undefined) return null;
  const transport = createTransport({
    url: SmtpUrl,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
  });
  return {
    async send({ language, ...mail }) {
      const sent = { ...mail, from: From, headers: { 'Content-Language': language } };
      await withTimeout(() => transport.sendMail(sent), totalMs);
    },
  };
}

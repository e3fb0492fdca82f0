import Joi from 'joi';
import { createTransport } from 'nodemailer';

/** `Service:Mail`. */
export interface MailSettings {
  SmtpUrl?: string;
  From?: string;
  /** The page that sets a password. */
  PasswordPage?: string;
}

export const mailSettingsSchema = Joi.object<MailSettings>({
  SmtpUrl: Joi.string()
    .uri({ scheme: ['smtp', 'smtps'] })
    .meta({ secret: true })
    .description('SMTP server with login, smtps://user:password@host.'),
  From: Joi.string().max(320).description('Sender of mails, such as Forms <forms@example.org>.'),
  PasswordPage: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .description(
      'Address of the page that sets a password with the token in its fragment (#token=…). Without it, mails contain the token only.',
    ),
})
  .with('SmtpUrl', 'From')
  .default();

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. */
  send(mail: Mail): Promise<void>;
}

const timeoutMs = 10_000;

/** Null if no server is configured. */
export function createMailer({ SmtpUrl, From }: MailSettings): Mailer | null {
  if (SmtpUrl === undefined || From === undefined) return null;
  const transport = createTransport({
    url: SmtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from: From });
    },
  };
}

import Joi from 'joi';
import { createTransport } from 'nodemailer';

/** `Service:Mail`. */
export interface MailSettings {
  SmtpUrl?: string;
  From?: string;
  /** The page that sets a password. Always there with a server. */
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
    .default(consolePage)
    .description(
      'Address of the page that sets a password with the token in its fragment (#token=…). By default /console/set-password at the first of Service:SignIn:Origins. Required with SmtpUrl and without such an origin.',
    ),
})
  .with('SmtpUrl', ['From', 'PasswordPage'])
  .messages({
    'object.with':
      'with SmtpUrl needs From, and PasswordPage or the origin of the console in Service:SignIn:Origins',
  })
  .default();

/** The page of the console, if the installation knows its own origin: `Service:SignIn` is read before. */
function consolePage(_: unknown, { state }: Joi.CustomHelpers): string | undefined {
  const service = (state.ancestors as object[])[1] as { SignIn?: { Origins?: string[] } } | undefined;
  const [origin] = service?.SignIn?.Origins ?? [];
  return origin === undefined ? undefined : `${origin}/console/set-password`;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Of subject and text, BCP 47. */
  language: string;
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
    async send({ language, ...mail }) {
      await transport.sendMail({ ...mail, from: From, headers: { 'Content-Language': language } });
    },
  };
}

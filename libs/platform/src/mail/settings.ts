import Joi from 'joi';

/** `Service:Mail`, the same keys in every service that sends mails. */
export interface MailSettings {
  SmtpUrl?: string;
  From?: string;
  /** The address of the console, without a slash at the end. */
  ConsoleUrl?: string;
}

const keys = {
  SmtpUrl: Joi.string()
    .uri({ scheme: ['smtp', 'smtps'] })
    .meta({ secret: true })
    .description('SMTP server with login, smtps://user:password@host.'),
  From: Joi.string().max(320).description('Sender of mails, such as Forms <forms@example.org>.'),
  ConsoleUrl: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .pattern(/[^/]$/)
    .description('Address of the console for links in mails, such as https://forms.example.org/console.'),
};

/** A service adds keys of its own with `append`. */
export const mailSettingsSchema: Joi.ObjectSchema<MailSettings> = Joi.object<MailSettings>(keys)
  .with('SmtpUrl', 'From')
  .messages({ 'object.with': 'with SmtpUrl needs From' })
  .default();

import { mailSettingsSchema, type MailSettings } from '@canvass/mail';
import Joi from 'joi';

/** `Service:Mail` with the page of the links. */
export interface LinkMailSettings extends MailSettings {
  /** The page that sets a password. Always there with a server. */
  PasswordPage?: string;
}

export const linkMailSettingsSchema = mailSettingsSchema
  .append<LinkMailSettings>({
    PasswordPage: Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .default(consolePage)
      .description(
        'Address of the page that sets a password with the token in its fragment (#token=…). By default /set-password at ConsoleUrl, or /console/set-password at the first of Service:SignIn:Origins. Required with SmtpUrl and without these.',
      ),
  })
  .with('SmtpUrl', 'PasswordPage')
  .messages({
    'object.with':
      'with SmtpUrl needs From, and PasswordPage or the origin of the console in Service:SignIn:Origins',
  });

/** The page of the console, if the installation knows its own origin: `Service:SignIn` is read before. */
function consolePage({ ConsoleUrl }: LinkMailSettings, { state }: Joi.CustomHelpers): string | undefined {
  const service = (state.ancestors as object[])[1] as { SignIn?: { Origins?: string[] } } | undefined;
  const [origin] = service?.SignIn?.Origins ?? [];
  if (ConsoleUrl !== undefined) return `${ConsoleUrl}/set-password`;
  return origin === undefined ? undefined : `${origin}/console/set-password`;
}

export { createMailer, mailSettingsSchema, type Mail, type Mailer, type MailSettings } from './mailer';

export { createMailer, mailSettingsSchema, type Mailer, type MailSettings } from './mailer';

export { createMailer, type Mail, type Mailer } from './mailer';
export { mailSettingsSchema, type MailSettings } from './settings';

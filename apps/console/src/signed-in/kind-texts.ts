import { useTextsOf } from '../i18n';

const en = {
  kinds: {
    form: 'Form',
    submission: 'Submission',
    submission_comment: 'Comment on a submission',
    submission_link: 'Link to a submission',
    submission_bulk_change: 'Change of many submissions',
    submission_export: 'Export of submissions',
    submission_invitation: 'Invitation',
    job: 'Job',
    submitter: 'Submitter',
    data_list: 'Data list',
    session: 'Session',
    user: 'User',
    token: 'Access token',
    service_account: 'Service account',
    view: 'View',
    audit: 'Audit trail',
    webhook_settings: 'Webhook settings',
    webhook_delivery: 'Delivery',
    webhook_endpoint: 'Endpoint',
    webhook_alerts: 'Alerts',
    webhook_recovery: 'Recovery',
    tenant: 'Tenant',
    operation: 'Command',
  } as Readonly<Record<string, string>>,
  /** Those that Canvass names itself. Others have the name that their operator gave them. */
  providers: { Service: 'Canvass', Integration: 'Integration' } as Readonly<Record<string, string>>,
  partOfName: 'A part of its name',
  deleted: (kind: string) => `${kind} (deleted)`,
};

const de: typeof en = {
  kinds: {
    form: 'Formular',
    submission: 'Einsendung',
    submission_comment: 'Kommentar zu einer Einsendung',
    submission_link: 'Link zu einer Einsendung',
    submission_bulk_change: 'Änderung vieler Einsendungen',
    submission_export: 'Export von Einsendungen',
    submission_invitation: 'Einladung',
    job: 'Auftrag',
    submitter: 'Person',
    data_list: 'Datenliste',
    session: 'Sitzung',
    user: 'Benutzer',
    token: 'Zugriffstoken',
    service_account: 'Dienstkonto',
    view: 'Ansicht',
    audit: 'Prüfprotokoll',
    webhook_settings: 'Webhook-Einstellungen',
    webhook_delivery: 'Zustellung',
    webhook_endpoint: 'Empfänger',
    webhook_alerts: 'Warnungen',
    webhook_recovery: 'Wiederholung',
    tenant: 'Mandant',
    operation: 'Befehl',
  },
  providers: { Service: 'Canvass', Integration: 'Anbindung' },
  partOfName: 'Ein Teil des Namens',
  deleted: (kind) => `${kind} (gelöscht)`,
};

/** Words for the kinds of records, as the API names them. */
export const useKindTexts = (): typeof en => useTextsOf({ en, de });

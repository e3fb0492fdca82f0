import { useTextsOf } from '../i18n';

const en = {
  roleNames: {
    Admin: 'Admin',
    Editor: 'Editor',
    Reviewer: 'Reviewer',
    Viewer: 'Viewer',
    Exporter: 'Exporter',
    Respondent: 'Respondent',
    Integration: 'Integration',
  } as Readonly<Record<string, string>>,
  permissionNames: {
    'Forms.View': 'See forms',
    'Forms.Create': 'Create forms',
    'Forms.Edit': 'Change forms',
    'Forms.Delete': 'Delete forms',
    'Submissions.Create': 'Send submissions',
    'Submissions.View': 'See submissions',
    'Submissions.Edit': 'Change submissions',
    'Submissions.Review': 'Review submissions',
    'Submissions.Delete': 'Delete submissions',
    'Submissions.Export': 'Export submissions',
    'Submissions.CreateOnBehalf': 'Send submissions on behalf of others',
    'Submissions.Test': 'Send test submissions',
    'Submissions.Erase': 'Erase people',
    'DataLists.View': 'See data lists',
    'DataLists.Edit': 'Change data lists',
    'WebHooks.View': 'See deliveries and endpoints',
    'WebHooks.Manage': 'Manage webhooks',
    'Tenant.Manage': 'Manage the tenant',
    'Users.Manage': 'Manage users and service accounts',
    'Audit.View': 'See the audit trail',
    'Operations.View': 'See the health of services and their jobs',
  } as Readonly<Record<string, string>>,
};

const de: typeof en = {
  roleNames: {
    Admin: 'Administration',
    Editor: 'Bearbeitung',
    Reviewer: 'Prüfung',
    Viewer: 'Einsicht',
    Exporter: 'Export',
    Respondent: 'Befragte',
    Integration: 'Anbindung',
  },
  permissionNames: {
    'Forms.View': 'Formulare sehen',
    'Forms.Create': 'Formulare anlegen',
    'Forms.Edit': 'Formulare ändern',
    'Forms.Delete': 'Formulare löschen',
    'Submissions.Create': 'Einsendungen senden',
    'Submissions.View': 'Einsendungen sehen',
    'Submissions.Edit': 'Einsendungen ändern',
    'Submissions.Review': 'Einsendungen prüfen',
    'Submissions.Delete': 'Einsendungen löschen',
    'Submissions.Export': 'Einsendungen exportieren',
    'Submissions.CreateOnBehalf': 'Einsendungen für andere senden',
    'Submissions.Test': 'Test-Einsendungen senden',
    'Submissions.Erase': 'Personen löschen',
    'DataLists.View': 'Datenlisten sehen',
    'DataLists.Edit': 'Datenlisten ändern',
    'WebHooks.View': 'Zustellungen und Empfänger sehen',
    'WebHooks.Manage': 'Webhooks verwalten',
    'Tenant.Manage': 'Den Mandanten verwalten',
    'Users.Manage': 'Benutzer und Dienstkonten verwalten',
    'Audit.View': 'Das Prüfprotokoll sehen',
    'Operations.View': 'Zustand und Aufträge der Dienste sehen',
  },
};

/** Words for roles and permissions, by their names in the API. */
export const useRoleTexts = (): typeof en => useTextsOf({ en, de });

/** The names of roles, in one line. */
export function useRoleNames(): (roles: readonly string[]) => string {
  const { roleNames } = useRoleTexts();
  return (roles) => roles.map((role) => roleNames[role] ?? role).join(', ') || '–';
}

import { useTextsOf } from '../i18n';

const en = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Will be retried',
  dead: 'Given up',
  cancelled: 'Cancelled',
  outcomes: {
    success: 'Success',
    http_3xx: 'Redirect (3xx)',
    http_4xx: 'Refused (4xx)',
    http_5xx: 'Error of the receiver (5xx)',
    dns_error: 'Name not found',
    blocked_address: 'Address not permitted',
    connection_refused: 'Connection refused',
    connection_failed: 'No connection',
    connection_reset: 'Connection reset',
    tls_error: 'TLS error',
    timeout: 'Timeout',
    protocol_error: 'Not valid HTTP',
    invalid_request: 'Request not possible',
    secret_unreadable: 'Secret not readable',
  } as Readonly<Record<string, string>>,
  events: {
    form_created: 'Form created',
    form_updated: 'Form changed',
    form_enabled_state_changed: 'Form enabled or disabled',
    form_deleted: 'Form deleted',
    submission_completed: 'Submission completed',
    submission_collection_status_changed: 'Progress of a submission',
    submission_deleted: 'Submission deleted',
    submitter_erased: 'Submitter erased',
  } as Readonly<Record<string, string>>,
};

const de: typeof en = {
  pending: 'Wartet',
  delivered: 'Zugestellt',
  failed: 'Wird wiederholt',
  dead: 'Aufgegeben',
  cancelled: 'Abgesagt',
  outcomes: {
    success: 'Erfolg',
    http_3xx: 'Weiterleitung (3xx)',
    http_4xx: 'Abgelehnt (4xx)',
    http_5xx: 'Fehler des Empfängers (5xx)',
    dns_error: 'Name nicht gefunden',
    blocked_address: 'Adresse nicht erlaubt',
    connection_refused: 'Verbindung abgelehnt',
    connection_failed: 'Keine Verbindung',
    connection_reset: 'Verbindung abgebrochen',
    tls_error: 'TLS-Fehler',
    timeout: 'Zeitüberschreitung',
    protocol_error: 'Kein gültiges HTTP',
    invalid_request: 'Anfrage nicht möglich',
    secret_unreadable: 'Schlüssel nicht lesbar',
  },
  events: {
    form_created: 'Formular angelegt',
    form_updated: 'Formular geändert',
    form_enabled_state_changed: 'Formular ein- oder ausgeschaltet',
    form_deleted: 'Formular gelöscht',
    submission_completed: 'Antwort abgeschlossen',
    submission_collection_status_changed: 'Fortschritt einer Antwort',
    submission_deleted: 'Antwort gelöscht',
    submitter_erased: 'Person gelöscht',
  },
};

/** Words for the states of deliveries. */
export const useDeliveryTexts = (): typeof en => useTextsOf({ en, de });

import { useTextsOf } from '../i18n';

const en = {
  event: 'Event',
  status: 'Status',
  outcome: 'Last outcome',
  attempts: 'Attempts',
  endpoint: 'Endpoint',
  lastAttempt: 'Last attempt',
  nextAttempt: 'Next attempt',
  occurred: 'Occurred',
  entity: 'Record',
  message: 'Message',
  statusCode: 'HTTP status',
  allDeliveries: 'All deliveries',
  recovery: 'Recovery',
  endpointStates: {
    enabled: 'Enabled',
    disabled: 'Disabled',
    removed: 'Removed',
    failing: 'Failing',
    paused: 'Paused',
  },
};

const de: typeof en = {
  event: 'Ereignis',
  status: 'Status',
  outcome: 'Letztes Ergebnis',
  attempts: 'Versuche',
  endpoint: 'Empfänger',
  lastAttempt: 'Letzter Versuch',
  nextAttempt: 'Nächster Versuch',
  occurred: 'Geschehen',
  entity: 'Datensatz',
  message: 'Nachricht',
  statusCode: 'HTTP-Status',
  allDeliveries: 'Alle Zustellungen',
  recovery: 'Wiederholung',
  endpointStates: {
    enabled: 'Eingeschaltet',
    disabled: 'Ausgeschaltet',
    removed: 'Entfernt',
    failing: 'Gestört',
    paused: 'Pausiert',
  },
};

/** Names that all pages about webhooks use. */
export const useWebhookTexts = (): typeof en => useTextsOf({ en, de });

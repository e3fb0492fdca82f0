export const german = {
  notFound: 'Dieses Formular gibt es nicht.',
  notFoundMore: 'Prüfen Sie die Adresse, oder fragen Sie die Person, von der Sie sie haben.',
  disabled: 'Dieses Formular nimmt zurzeit keine Antworten an.',
  notOpen: 'Dieses Formular ist noch nicht offen. Es öffnet am {time}.',
  closed: 'Dieses Formular ist geschlossen. Es war offen bis {time}.',
  full: 'Dieses Formular hat alle Antworten erhalten, die es annimmt.',
  done: 'Sie haben dieses Formular bereits beantwortet. Vielen Dank.',
  signIn: 'Dieses Formular ist für angemeldete Personen.',
  forbidden: 'Ihr Konto darf dieses Formular nicht beantworten.',
  signedOut: 'Sie wurden abgemeldet. Ihre Antworten bleiben und werden nach der nächsten Anmeldung gesendet.',
  signedInAs: 'Angemeldet als {name}.',
  signOut: 'Abmelden',
  enter: 'Anmelden',
  enterAt: 'Mit {name} anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  tenant: 'Organisation',
  code: 'Code des zweiten Faktors',
  notEntered: 'Die Anmeldung ist fehlgeschlagen. Prüfen Sie Ihre Eingaben.',
  notNow: 'Die Anmeldung geht zurzeit nicht. Bitte versuchen Sie es in einigen Minuten wieder.',
  unavailable:
    'Das Formular kann zurzeit nicht gezeigt werden. Bitte versuchen Sie es in einigen Minuten wieder.',
  tooMany: 'Aus Ihrem Netz wurden zu viele Seiten geöffnet. Bitte versuchen Sie es in einer Minute wieder.',
  challenge:
    'Dieses Formular verlangt eine Prüfung, die auf dieser Seite nicht möglich ist. Fragen Sie die Person, von der Sie die Adresse haben, wie Sie sonst antworten können.',
  linkRevoked:
    'Dieser Link wurde zurückgezogen. Fragen Sie die Person, von der Sie ihn haben, nach einem anderen.',
  linkExpired:
    'Dieser Link ist abgelaufen. Fragen Sie die Person, von der Sie ihn haben, nach einem anderen.',
  linkEnded: 'Die Antworten dieses Links wurden gelöscht.',
  linkDone: 'Die Antworten dieses Links sind abgeschlossen. Vielen Dank.',
  linkUnknown:
    'Diesen Link gibt es nicht. Prüfen Sie die Adresse, oder fragen Sie die Person, von der Sie sie haben.',
  loading: 'Das Formular wird geladen.',
  offline:
    'Es gibt keine Verbindung. Ihre Antworten bleiben in diesem Browser und werden gesendet, sobald sie wieder da ist.',
  sending: 'Ihre Antworten werden gesendet.',
  refused: 'Ihre Antworten wurden nicht angenommen.',
  back: 'Zurück zum Formular',
  reload: 'Das Formular konnte nicht geladen werden. Laden Sie die Seite neu.',
  script: 'Dieses Formular braucht JavaScript.',
};

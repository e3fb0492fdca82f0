/** What the gateway says of a service, and the same in another language. */
type Sentences = readonly (readonly [said: RegExp, own: string])[];

const de: Sentences = [
  [/^Ready\.$/, 'Bereit.'],
  [/^(\d+) replicas are ready\.$/, '$1 Kopien sind bereit.'],
  [/^(\d+) of (\d+) replicas are unhealthy\. One of them: /, '$1 von $2 Kopien sind gestört. Eine davon: '],
  [
    /Not ready: its readiness probe returned (\d+)\.$/,
    'Nicht bereit: Die Prüfung der Bereitschaft ergab $1.',
  ],
  [
    /Ready, but it reports Degraded\. Its health page has the reason\.$/,
    'Bereit, meldet aber „eingeschränkt“. Den Grund nennt seine Seite zum Zustand.',
  ],
  [
    /Ready, but it reports Unhealthy\. Its health page has the reason\.$/,
    'Bereit, meldet aber „gestört“. Den Grund nennt seine Seite zum Zustand.',
  ],
  [/No answer within (\d+) ms\.$/, 'Keine Antwort innerhalb von $1 ms.'],
  [/Cannot be reached\.$/, 'Nicht erreichbar.'],
];

/** Returns what the gateway says of a service in a language of the console. */
export const saidIn = (language: string, said: string | null): string =>
  language === 'de'
    ? de.reduce((text, [sentence, own]) => text.replace(sentence, own), said ?? '')
    : (said ?? '');

import { useTextsOf } from '../../i18n';

const en = {
  counted: (count: string) => (count === '1' ? '1 submission' : `${count} submissions`),
  sampled: (counted: string, total: string) =>
    `A sample of ${counted} of ${total} submissions. The shares are estimates.`,
  noListLabels: 'The data lists are not available. Their values are shown without labels.',
  leftOut: (count: string) =>
    count === '1' ? '1 further question is not shown.' : `${count} further questions are not shown.`,
  noQuestions: 'This form has no questions yet.',
  answered: (count: string) => `${count} answered`,
  skipped: (count: string) => `${count} skipped`,
  showsRows: (label: string) => `${label}: show the submissions`,
  answer: 'Answer',
  count: 'Count',
  share: 'Share',
  meanRank: 'Mean rank',
  former: 'no longer offered',
  rest: 'Other values',
  more: (count: string) => `Show ${count} more`,
  mean: 'Mean',
  median: 'Median',
  min: 'Smallest',
  max: 'Largest',
  nps: 'Net Promoter Score',
  newest: 'Newest texts',
  unanswered: 'No answers yet.',
  onlyCounted: 'These answers are only counted, not shown.',
  fromTo: (from: string, to: string) => `${from} to below ${to}`,
};

const de: typeof en = {
  counted: (count) => (count === '1' ? '1 Einsendung' : `${count} Einsendungen`),
  sampled: (counted, total) =>
    `Eine Stichprobe von ${counted} aus ${total} Einsendungen. Die Anteile sind Schätzungen.`,
  noListLabels: 'Die Datenlisten sind nicht erreichbar. Ihre Werte erscheinen ohne Beschriftung.',
  leftOut: (count) =>
    count === '1' ? '1 weitere Frage wird nicht gezeigt.' : `${count} weitere Fragen werden nicht gezeigt.`,
  noQuestions: 'Dieses Formular hat noch keine Fragen.',
  answered: (count) => `${count} beantwortet`,
  skipped: (count) => `${count} übersprungen`,
  showsRows: (label) => `${label}: Einsendungen zeigen`,
  answer: 'Antwort',
  count: 'Anzahl',
  share: 'Anteil',
  meanRank: 'Mittlerer Rang',
  former: 'nicht mehr wählbar',
  rest: 'Andere Werte',
  more: (count) => `${count} weitere zeigen`,
  mean: 'Mittelwert',
  median: 'Median',
  min: 'Kleinster Wert',
  max: 'Größter Wert',
  nps: 'Net Promoter Score',
  newest: 'Neueste Texte',
  unanswered: 'Noch keine Antworten.',
  onlyCounted: 'Diese Antworten werden nur gezählt, nicht gezeigt.',
  fromTo: (from, to) => `${from} bis unter ${to}`,
};

/** The texts of the summary of a form. */
export const useSummaryTexts = (): typeof en => useTextsOf({ en, de });

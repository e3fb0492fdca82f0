import { useTextsOf } from '../../i18n';

const en = {
  counted: (count: string) => (count === '1' ? '1 submission' : `${count} submissions`),
  sampled: (counted: string, total: string) =>
    `A sample of ${counted} of ${total} submissions. The shares are estimates.`,
  noListLabels: 'The data lists do not answer at the moment. Their values have no labels.',
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
  former: 'not offered now',
  rest: 'Other values',
  more: (count: string) => `Show ${count} more`,
  mean: 'Mean',
  median: 'Median',
  min: 'Smallest',
  max: 'Largest',
  nps: 'Net Promoter Score',
  newest: 'Newest texts',
  unanswered: 'No answers yet.',
  onlyCounted: 'These answers are counted only.',
  fromTo: (from: string, to: string) => `${from} to below ${to}`,
};

const de: typeof en = {
  counted: (count) => (count === '1' ? '1 Einsendung' : `${count} Einsendungen`),
  sampled: (counted, total) =>
    `Eine Stichprobe von ${counted} aus ${total} Einsendungen. Die Anteile sind Schätzungen.`,
  noListLabels: 'Die Datenlisten antworten gerade nicht. Ihre Werte haben keine Bezeichnungen.',
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
  onlyCounted: 'Diese Antworten werden nur gezählt.',
  fromTo: (from, to) => `${from} bis unter ${to}`,
};

/** The texts of the summary of a form. */
export const useSummaryTexts = (): typeof en => useTextsOf({ en, de });

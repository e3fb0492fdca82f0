import type { PlotTexts } from '@canvass/console-ui';
import { useTextsOf } from '../i18n';
import { useFormats } from './formats';

const en = {
  time: 'Time',
  asTable: 'As a table',
  keys: 'Arrow keys move, Shift with them chooses a range, Enter shows it.',
};

const de: typeof en = {
  time: 'Zeit',
  asTable: 'Als Tabelle',
  keys: 'Pfeiltasten bewegen, mit Umschalt wählen sie einen Zeitraum, Eingabe zeigt ihn.',
};

/** The words of the plots. The date is in them if the buckets are long. */
export function usePlotTexts(bucket: string | undefined): PlotTexts {
  const words = useTextsOf({ en, de });
  const { clock, dayClock, day, number } = useFormats();
  const formatTime = bucket === '1d' ? day : bucket === '1h' ? dayClock : clock;
  return { ...words, formatTime, formatValue: (value) => number(value) };
}

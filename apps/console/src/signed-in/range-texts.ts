import { useTextsOf } from '../i18n';

const en = {
  range: 'Time range',
  ranges: { '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' },
  chosenRange: (from: string, to: string) => `${from} to ${to}`,
};

const de: typeof en = {
  range: 'Zeitraum',
  ranges: { '1h': '1 Std.', '6h': '6 Std.', '24h': '24 Std.', '7d': '7 Tage', '30d': '30 Tage' },
  chosenRange: (from, to) => `${from} bis ${to}`,
};

/** The texts of the time ranges. */
export const useRangeTexts = (): typeof en => useTextsOf({ en, de });

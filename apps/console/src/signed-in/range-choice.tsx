import { Button } from '@canvass/console-ui';
import { useTextsOf } from '../i18n';
import { useFormats } from './formats';
import styles from './range-choice.module.css';
import { rangeNames, type Range, type RangeName } from './range';

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

export interface RangeChoiceProps {
  range: Range;
  choose(name: RangeName): void;
}

/** The range of all plots. One that was chosen in a plot is shown, too, until another takes its place. */
export function RangeChoice({ range, choose }: RangeChoiceProps) {
  const texts = useTextsOf({ en, de });
  const { dayClock } = useFormats();
  const { from, to } = range.query();
  return (
    <div className={styles.ranges} role="group" aria-label={texts.range}>
      {range.name === null && <span>{texts.chosenRange(dayClock(from), dayClock(to!))}</span>}
      {rangeNames.map((name) => (
        <Button key={name} aria-pressed={name === range.name} onClick={() => choose(name)}>
          {texts.ranges[name]}
        </Button>
      ))}
    </div>
  );
}

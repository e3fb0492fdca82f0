import { Button } from '@canvass/console-ui';
import { useFormats } from './formats';
import lists from './list.module.css';
import { useRangeTexts } from './range-texts';
import { rangeNames, type Range, type RangeName } from './range';

export interface RangeChoiceProps {
  range: Range;
  choose(name: RangeName): void;
}

/** The range of all plots. One that was chosen in a plot is shown, too, until another takes its place. */
export function RangeChoice({ range, choose }: RangeChoiceProps) {
  const texts = useRangeTexts();
  const { dayClock } = useFormats();
  const { from, to } = range.query();
  return (
    <div className={lists.row} role="group" aria-label={texts.range}>
      {range.name === null && (
        <span className={lists.soft}>{texts.chosenRange(dayClock(from), dayClock(to!))}</span>
      )}
      {rangeNames.map((name) => (
        <Button key={name} aria-pressed={name === range.name} onClick={() => choose(name)}>
          {texts.ranges[name]}
        </Button>
      ))}
    </div>
  );
}

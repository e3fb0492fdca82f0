import { ForeignText, Notice } from '@canvass/console-ui';
import { useMemo } from 'react';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import styles from './definition.module.css';
import { diffLines } from './line-diff';

interface DifferenceProps {
  /** Names it for screen readers. */
  label: string;
  before: string;
  after: string;
}

/** The lines that differ between two texts. */
export function Difference({ label, before, after }: DifferenceProps) {
  const texts = useFormTexts();
  const { number } = useFormats();
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  if (lines === null) return <Notice tone="warn">{texts.tooLarge}</Notice>;
  const words = { removed: texts.removedLine, added: texts.addedLine };
  return (
    // What scrolls must be reachable by keyboard. JSON runs from left to right in every language.
    <div className={styles.difference} role="group" aria-label={label} tabIndex={0} dir="ltr">
      {lines.map((line, index) => {
        // Lines have no identity of their own.
        if (line.kind === 'same')
          return (
            <p key={index} className={styles.same}>
              {texts.unchangedLines(number(line.count))}
            </p>
          );
        if (line.kind === 'near') return <Line key={index} text={line.text} />;
        const Mark = line.kind === 'removed' ? 'del' : 'ins';
        return (
          <Mark key={index} aria-label={`${words[line.kind]}: ${line.text}`}>
            <Line text={line.text} />
          </Mark>
        );
      })}
    </div>
  );
}

const Line = ({ text }: { text: string }) => (
  <pre>
    <ForeignText>{text}</ForeignText>
  </pre>
);

import { buttonClass, Panel, primaryClass } from '@canvass/console-ui';
import { Link } from 'wouter';
import { may, useMe } from '../me';
import type { NewestForms } from './forms';
import styles from './overview.module.css';
import { useOverviewTexts } from './texts';

/** The way from nothing to the first answer. It is shown until there is one. */
export function FirstRun({ forms: { items } }: { forms: NewestForms }) {
  const texts = useOverviewTexts();
  const me = useMe();
  const newest = items[0];
  const steps = [
    { ...texts.steps.make, href: may(me, 'createForm') && '/forms?new', isDone: newest !== undefined },
    { ...texts.steps.share, href: newest && `/forms/${newest.id}/share`, isDone: false },
    { ...texts.steps.read, href: newest && `/forms/${newest.id}/submissions`, isDone: false },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Panel title={texts.firstRun}>
      <ol className={styles.steps}>
        {steps.map(({ title, text, button, href, isDone }, index) => (
          <li key={title} aria-current={index === next ? 'step' : undefined}>
            <span className={styles.step} aria-hidden="true">
              {isDone ? '✓' : index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
            {href && (
              <Link href={href} className={index === next ? primaryClass : buttonClass}>
                {button}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

import { Fragment, type ReactNode } from 'react';
import styles from './list.module.css';

export type Fact = readonly [name: ReactNode, value: ReactNode];

/** The facts known about one thing: names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], index) => (
        // Facts have no identity of their own, and their order does not change.
        <Fragment key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

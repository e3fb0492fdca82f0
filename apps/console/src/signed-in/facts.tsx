import { Fragment, type ReactNode } from 'react';
import styles from './list.module.css';

/** A name and a value; false for a fact that a thing does not have. */
export type Fact = readonly [name: ReactNode, value: ReactNode] | false;

/** The facts known about one thing: names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        (fact, index) =>
          fact && (
            // Facts have no identity of their own, and their order does not change.
            <Fragment key={index}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

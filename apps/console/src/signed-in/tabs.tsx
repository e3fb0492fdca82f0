import { Link } from 'wouter';
import styles from './frame.module.css';
import { may, useMe } from './me';

/** A page of a thing: the end of its address, its title, and the operation that it needs. */
export type Tab = readonly [end: string, title: string, operation: string];

interface TabsProps {
  label: string;
  /** The address of the thing. */
  base: string;
  tabs: readonly Tab[];
  /** The end of the address of the current one. */
  current: string;
  /** Returns whether they are the parts of a tab. */
  areParts?: boolean;
}

/** The ways to the pages of a thing that the user may see. */
export function Tabs({ label, base, tabs, current, areParts = false }: TabsProps) {
  const me = useMe();
  return (
    <nav className={areParts ? styles.parts : styles.tabs} aria-label={label}>
      {tabs
        .filter(([, , operation]) => may(me, operation))
        .map(([end, title]) => (
          <Link
            key={end}
            href={base + end}
            {...(end === current && { 'aria-current': 'page', ref: inSight })}
          >
            {title}
          </Link>
        ))}
    </nav>
  );
}

/** Scrolls the current one of tabs into sight: on a narrow screen not all of them are. */
const inSight = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

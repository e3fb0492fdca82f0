import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './overview.module.css';

export interface Figure {
  name: string;
  value: string;
  /** A note below the value. */
  note?: string;
  /** The address of the records behind the value. */
  href?: string;
  isBad?: boolean;
}

/** A few numbers in a row. Each leads to the records behind it. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, note, href, isBad }) => (
        <div key={name} className={isBad === true ? styles.bad : undefined}>
          <dt>{name}</dt>
          <dd>
            <Linked href={href}>{value}</Linked>
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The place of figures that are being loaded. */
export function FiguresSkeleton({
  names,
  noted = [],
}: {
  names: readonly string[];
  noted?: readonly string[];
}) {
  const blank = '\u00a0';
  const figures = names.map((name) => ({ name, value: blank, ...(noted.includes(name) && { note: blank }) }));
  return <Figures figures={figures} />;
}

function Linked({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? children : <Link href={href}>{children}</Link>;
}

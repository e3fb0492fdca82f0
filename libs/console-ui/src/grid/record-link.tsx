import type { AnchorHTMLAttributes, MouseEvent } from 'react';

export interface RecordLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Null: the record has no page, and its content is no link. */
  href: string | null;
  /** Opens the page in this window. The browser opens it in a new tab by itself. */
  open(href: string): void;
}

/** A link to the page of a record, if it has one. */
export function RecordLink({ href, open, children, ...rest }: RecordLinkProps) {
  if (href === null) return children;
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(href);
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}

/** Scrolls the current one of tabs into sight: on a narrow screen not all of them are. */
export const inSight = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

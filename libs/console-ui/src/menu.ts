import styles from './menu.module.css';

/** The class of a menu. */
export const menuClass = styles.menu!;

/** The class of what opens over the page beside its button. */
export const popoverClass = styles.popover!;

import styles from './icon.module.css';

/** Lines of each icon in a square of 24: pages of the navigation, kinds of records, and buttons. */
const lines = {
  overview: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  forms: 'M6 3h12v18H6zM9.5 8h5M9.5 12h5M9.5 16h3',
  dataLists: 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1',
  submitters: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3-6 8-6s8 2 8 6',
  deliveries: 'M21 3 10 14M21 3l-7 18-4-7-7-4z',
  endpoints: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  recoveries: 'M4 4v6h6M4 10a8.5 8.5 0 1 1-.5 5',
  jobs: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  audit: 'M9 3h6v4H9zM9 5H5v16h14V5h-4M8.5 14l2.5 2.5 4.5-5',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 2.5-6 6.5-6s6.5 2 6.5 6M15.5 4.5a3.5 3.5 0 0 1 0 6.3M18 14.8c2.3.8 3.5 2.600 3.5 5.200',
  serviceAccounts: 'M7.5 19a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.7 11.3 20 2M16 6l3 3M13 9l2 2',
  submission: 'M4 4h16v12H12l-5 4v-4H4zM8 8.5h8M8 12h5',
  search: 'M20 20l-4.5-4.5M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  copy: 'M9 9h11v11H9zM6 15H4V4h11v2',
  filter: 'M3.5 5h17L14 12.5V20l-4-2.5v-5z',
  view: 'M7 4h10v16l-5-4-5 4z',
  export: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 20h16',
} as const;

export type IconName = keyof typeof lines;

/** A small picture beside a name. It is decoration: the name says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
    <path d={lines[name]} />
  </svg>
);

import { buttonClass, Icon, popoverClass } from '@canvass/console-ui';
import { useId } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { useTexts } from '../i18n';
import { useMe } from './me';
import styles from './navigation.module.css';
import { missingOf, pageGroups } from './pages';

/** The pages that the user may see. On a narrow screen one button opens them. */
export function Navigation() {
  const texts = useTexts();
  return (
    <nav className={styles.navigation} aria-label={texts.navigation}>
      <div className={styles.beside}>
        <Groups />
      </div>
      <DialogTrigger>
        <Button className={`${buttonClass} ${styles.menuButton}`} aria-label={texts.menu}>
          <Icon name="menu" />
        </Button>
        <Popover className={popoverClass} placement="bottom end">
          <Dialog className={styles.menu} aria-label={texts.menu}>
            {({ close }) => <Groups choose={close} />}
          </Dialog>
        </Popover>
      </DialogTrigger>
    </nav>
  );
}

/** The groups of pages. One without a permitted page is not shown. */
function Groups({ choose }: { choose?: () => void }) {
  const texts = useTexts();
  const me = useMe();
  const [path] = useLocation();
  const id = useId();
  return pageGroups.map(({ name: group, pages }) => {
    const permitted = pages.filter((page) => missingOf(me, page) === undefined);
    if (permitted.length === 0) return null;
    const heading = group && `${id}-${group}`;
    return (
      <div key={group ?? ''} className={styles.group}>
        {group !== undefined && <p id={heading}>{texts.pageGroups[group]}</p>}
        <ul className={styles.pages} aria-labelledby={heading}>
          {permitted.map(({ path: own, name }) => (
            <li key={own}>
              <Link href={own} aria-current={isCurrent(own, path) ? 'page' : undefined} onClick={choose}>
                <Icon name={name} />
                {texts[name]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** A page below another one counts as that one. */
const isCurrent = (own: string, path: string): boolean =>
  own === '/' ? path === '/' : path === own || path.startsWith(`${own}/`);

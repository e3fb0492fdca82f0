import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import { buttonClass } from '../controls';
import { menuClass, popoverClass } from '../menu';
import { densities, type Density, type GridLayout } from './columns';
import type { GridTexts } from './types';

export interface GridMenuProps {
  layout: GridLayout;
  setLayout(change: Partial<GridLayout>): void;
  texts: GridTexts;
  /** The sentence of the number of rows, where the bar has no room for it. */
  rowCount: string | false;
  /** Returns whether the look of the rows can be chosen. */
  hasLooks: boolean;
  refresh(): void;
  /** Shows a row beside the grid, or ends that; absent: that cannot be. */
  toggleBeside: (() => void) | undefined;
  toggleKeys(): void;
}

/** What one needs rarely: new rows, a row beside the grid, and how the rows look. */
export function GridMenu(props: GridMenuProps) {
  const { layout, setLayout, texts, rowCount, hasLooks, refresh, toggleBeside, toggleKeys } = props;
  return (
    <MenuTrigger>
      <AriaButton className={buttonClass} aria-label={texts.more}>
        <span aria-hidden="true">…</span>
      </AriaButton>
      <Popover className={popoverClass} placement="bottom end">
        <Menu className={menuClass} aria-label={texts.more}>
          <MenuItem onAction={refresh}>
            {texts.refresh} <small>{rowCount}</small>
          </MenuItem>
          {toggleBeside && <MenuItem onAction={toggleBeside}>{texts.beside}</MenuItem>}
          {hasLooks && (
            <>
              <MenuItem onAction={toggleKeys}>
                {texts.keys} <small>?</small>
              </MenuItem>
              <MenuSection
                selectionMode="single"
                disallowEmptySelection
                selectedKeys={[layout.density]}
                onSelectionChange={(keys) => setLayout({ density: [...keys][0] as Density })}
              >
                <Header>{texts.density}</Header>
                {densities.map((density) => (
                  <MenuItem key={density} id={density}>
                    {texts[density]}
                  </MenuItem>
                ))}
              </MenuSection>
              <MenuSection
                aria-label={texts.plainPages}
                selectionMode="multiple"
                selectedKeys={layout.isPlain ? ['plain'] : []}
                onSelectionChange={(keys) => setLayout({ isPlain: keys === 'all' || keys.has('plain') })}
              >
                <MenuItem id="plain" shouldCloseOnSelect>
                  {texts.plainPages}
                </MenuItem>
              </MenuSection>
            </>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

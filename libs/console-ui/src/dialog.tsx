import type { ComponentProps, ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay, type DialogProps } from 'react-aria-components';
import styles from './dialog.module.css';

type Given = Pick<DialogProps, 'role' | 'aria-label'> &
  Pick<ComponentProps<typeof ModalOverlay>, 'isOpen' | 'isDismissable'>;

interface ModalDialogProps extends Given {
  /** Absent: it cannot be closed. */
  close?(): void;
  /** The heading; without it, the dialog has a label. */
  title?: string;
  children: ReactNode;
}

/** A dialog over the page. Its heading and its actions stay in sight while the rest scrolls. */
export const ModalDialog = ({
  isOpen = true,
  close,
  isDismissable,
  title,
  children,
  ...dialog
}: ModalDialogProps) => (
  <ModalOverlay
    className={styles.overlay}
    isOpen={isOpen}
    isDismissable={isDismissable}
    onOpenChange={(isOpen) => !isOpen && close?.()}
  >
    <Modal className={styles.dialog}>
      <Dialog {...dialog}>
        {title !== undefined && (
          <Heading slot="title" level={2} className={styles.title}>
            {title}
          </Heading>
        )}
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);

/** The classes of what is below the heading of a dialog, and of the buttons at its end. */
export const dialogBodyClass = styles.body;
export const dialogActionsClass = styles.actions;

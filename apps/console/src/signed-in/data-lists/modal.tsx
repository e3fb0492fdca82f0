import type { ReactNode } from 'react';
import { Dialog, Heading, Modal as AriaModal, ModalOverlay } from 'react-aria-components';
import shell from '../shell.module.css';
import styles from './data-lists.module.css';

interface ModalProps {
  title: string;
  isOpen: boolean;
  close(): void;
  children: ReactNode;
}

/** A dialog over the page. Escape and a click beside it close it. */
export function Modal({ title, isOpen, close, children }: ModalProps) {
  return (
    <ModalOverlay
      className={shell.overlay}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) close();
      }}
      isDismissable
    >
      <AriaModal className={shell.dialog}>
        <Dialog className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}

import { Button, FieldErrors } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../i18n';
import { FaultNotice, type Action } from './action';
import { submitting } from './fields';
import styles from './shell.module.css';
import { useErrorsByField } from './violations';

export interface FormDialogProps {
  title: string;
  /** The label of the button; null if there is nothing left to do but to close it. */
  submit: string | null;
  action: Action<[]>;
  close(): void;
  /** Returns whether the form may not be sent yet. */
  isIncomplete?: boolean;
  /** Returns whether the form ends something for good. */
  isDanger?: boolean;
  children: ReactNode;
}

/** A form over the page. It closes by Escape, and stays open with what was typed if the API refuses it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, action, close, isIncomplete = false, isDanger = false, children } = props;
  const texts = useTexts();
  const errors = useErrorsByField(action.fault);
  return (
    <ModalOverlay className={styles.overlay} isOpen onOpenChange={(isOpen) => !isOpen && close()}>
      <Modal className={styles.dialog}>
        <Dialog>
          <form className={styles.form} onSubmit={submitting(() => void action.run())}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <FieldErrors errors={errors}>{children}</FieldErrors>
            <FaultNotice fault={action.fault} />
            <div className={styles.actions}>
              {/* The button that had the focus may be gone. Without the focus Escape would do nothing. */}
              <Button key={String(submit === null)} autoFocus={submit === null} onClick={close}>
                {submit === null ? texts.close : texts.cancel}
              </Button>
              {submit !== null && (
                <Button
                  look={isDanger ? 'danger' : 'primary'}
                  type="submit"
                  disabled={isIncomplete || action.isBusy}
                >
                  {submit}
                </Button>
              )}
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

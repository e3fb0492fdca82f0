import { Button, FieldErrors } from '@canvass/console-ui';
import { dialogActionsClass, dialogBodyClass, ModalDialog } from '@canvass/console-ui/dialog';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n';
import { FaultNotice, type Action } from './action';
import { submitting } from './fields';
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
    <ModalDialog title={title} close={close}>
      <form className={dialogBodyClass} onSubmit={submitting(() => void action.run())}>
        <FieldErrors errors={errors}>{children}</FieldErrors>
        <FaultNotice fault={action.fault} />
        <div className={dialogActionsClass}>
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
    </ModalDialog>
  );
}

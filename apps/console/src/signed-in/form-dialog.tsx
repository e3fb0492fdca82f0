import { Button } from '@canvass/console-ui';
import { dialogActionsClass, dialogBodyClass, ModalDialog } from '@canvass/console-ui/dialog';
import { useTexts } from '../i18n';
import { ActionForm, type ActionFormProps } from './action-form';

export interface FormDialogProps extends Omit<ActionFormProps, 'className' | 'other' | 'actionsClass'> {
  title: string;
  close(): void;
}

/** A form over the page, which closes by Escape. With nothing to send it can only be closed. */
export function FormDialog({ title, close, ...form }: FormDialogProps) {
  const texts = useTexts();
  const isOver = form.submit === null;
  // The button that had the focus may be gone. Without the focus Escape would do nothing.
  const other = (
    <Button key={String(isOver)} autoFocus={isOver} onClick={close}>
      {isOver ? texts.close : texts.cancel}
    </Button>
  );
  return (
    <ModalDialog title={title} close={close}>
      <ActionForm {...form} className={dialogBodyClass} actionsClass={dialogActionsClass} other={other} />
    </ModalDialog>
  );
}

import { Button, FieldErrors } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { FaultNotice, type Action } from './action';
import { submitting } from './fields';
import { useErrorsByField } from './violations';

export interface ActionFormProps {
  className: string | undefined;
  action: Action<[]>;
  /** The label of the button; null if there is nothing to send. */
  submit: string | null;
  /** Returns whether it ends something for good. */
  isDanger?: boolean;
  /** Returns whether the form may not be sent yet. */
  isIncomplete?: boolean;
  /** What to say after a change of another person. */
  outdated?: string;
  /** A button before the one that sends, and the class of both. */
  other?: ReactNode;
  actionsClass?: string | undefined;
  children: ReactNode;
}

/** A form that begins one action. It keeps what was typed if the API refuses it. */
export function ActionForm(props: ActionFormProps) {
  const { className, action, submit, isDanger, isIncomplete, outdated, other, actionsClass, children } =
    props;
  return (
    <form className={className} onSubmit={submitting(() => void action.run())}>
      <FieldErrors errors={useErrorsByField(action.fault)}>{children}</FieldErrors>
      <FaultNotice fault={action.fault} outdated={outdated} />
      <div className={actionsClass}>
        {other}
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
  );
}

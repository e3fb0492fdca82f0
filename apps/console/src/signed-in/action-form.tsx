import { Button, FieldErrors } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { FaultNotice, type Action } from './action';
import { submitting } from './fields';
import { useErrorsByField } from './violations';

interface ActionFormProps {
  className: string | undefined;
  action: Action<[]>;
  /** The label of the button. */
  submit: string;
  /** Returns whether it ends something for good. */
  isDanger?: boolean;
  /** Returns whether the form may not be sent yet. */
  isIncomplete?: boolean;
  /** Returns whether the user may only look at it. */
  isReadOnly?: boolean;
  /** What to say after a change of another person. */
  outdated?: string;
  children: ReactNode;
}

/** A form in a page that begins one action. */
export function ActionForm(props: ActionFormProps) {
  const { className, action, submit, isDanger, isIncomplete, isReadOnly, outdated, children } = props;
  return (
    <form className={className} onSubmit={submitting(() => void action.run())}>
      <FieldErrors errors={useErrorsByField(action.fault)}>{children}</FieldErrors>
      <FaultNotice fault={action.fault} outdated={outdated} />
      {!isReadOnly && (
        <div>
          <Button
            look={isDanger ? 'danger' : 'primary'}
            type="submit"
            disabled={isIncomplete || action.isBusy}
          >
            {submit}
          </Button>
        </div>
      )}
    </form>
  );
}

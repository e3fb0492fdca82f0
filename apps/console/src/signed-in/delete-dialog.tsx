import { Button, Field, toast } from '@canvass/console-ui';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useAction } from './action';
import { useEditorTexts } from './editor-texts';
import { textInput } from './fields';
import { FormDialog, type FormDialogProps } from './form-dialog';
import { confirmationOf, typable } from './typable';

interface TypedDialogProps extends Omit<FormDialogProps, 'action' | 'isDanger'> {
  /** The text that is typed to confirm. */
  confirmation: string;
  run(): Promise<void>;
  /** What the field has of its own. */
  field?: Partial<ComponentProps<typeof Field>>;
}

/** Asks for a text before something ends for good. */
export function TypedDialog({ confirmation, run, field, children, ...dialog }: TypedDialogProps) {
  const texts = useEditorTexts();
  const [typed, setTyped] = useState('');
  const isIncomplete = dialog.isIncomplete === true || typable(typed) !== confirmation;
  return (
    <FormDialog {...dialog} isDanger action={useAction(run)} isIncomplete={isIncomplete}>
      {children}
      <Field
        label={texts.typeToConfirm(confirmation)}
        autoComplete="off"
        autoFocus
        {...field}
        {...textInput(typed, setTyped)}
      />
    </FormDialog>
  );
}

interface RemoveRecordProps {
  /** Text of the button. */
  label: string;
  title: string;
  /** The things that end with it. */
  text: ReactNode;
  /** The text that is typed to confirm. */
  name: string;
  /** Typed instead, if nothing of the name can be typed. */
  id: string;
  remove(): Promise<unknown>;
  /** Page that follows. */
  list: string;
  /** The key of what was read of the record, to be forgotten. */
  queryKey: QueryKey;
}

/** A button that deletes the record of a page, after its name was typed, and leads to the list. */
export function RemoveRecord({ label, title, text, name, id, remove, list, queryKey }: RemoveRecordProps) {
  const texts = useEditorTexts();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const removeAndLeave = async () => {
    await remove();
    navigate(list);
    toast(texts.deleted);
    client.removeQueries({ queryKey });
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <TypedDialog
          title={title}
          submit={texts.deleteNow}
          confirmation={confirmationOf(name, id)}
          run={removeAndLeave}
          close={() => setAsking(false)}
        >
          <div>{text}</div>
        </TypedDialog>
      )}
    </>
  );
}

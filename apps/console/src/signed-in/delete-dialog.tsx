import { Button, Field, toast } from '@canvass/console-ui';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useAction } from './action';
import { useEditorTexts } from './editor-texts';
import { FormDialog } from './form-dialog';
import { confirmationOf, typable } from './typable';

interface DeleteProps {
  title: string;
  /** The things that end with it. */
  text: ReactNode;
  /** The text that is typed to confirm. */
  name: string;
  /** Typed instead, if nothing of the name can be typed. */
  id: string;
  remove(): Promise<void>;
  close(): void;
}

/** Asks for the name before something is deleted. */
function DeleteDialog({ title, text, name, id, remove, close }: DeleteProps) {
  const texts = useEditorTexts();
  const [typed, setTyped] = useState('');
  const confirmation = confirmationOf(name, id);
  return (
    <FormDialog
      title={title}
      submit={texts.deleteNow}
      isDanger
      action={useAction(remove)}
      close={close}
      isIncomplete={typable(typed) !== confirmation}
    >
      <div>{text}</div>
      <Field
        label={texts.typeToConfirm(confirmation)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

interface RemoveRecordProps extends Pick<DeleteProps, 'title' | 'text' | 'name' | 'id'> {
  /** Text of the button. */
  label: string;
  remove(): Promise<unknown>;
  /** Page that follows. */
  list: string;
  /** The key of what was read of the record, to be forgotten. */
  queryKey: QueryKey;
}

/** A button that deletes the record of a page, after its name was typed, and leads to the list. */
export function RemoveRecord({ label, remove, list, queryKey, ...asked }: RemoveRecordProps) {
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
      {isAsking && <DeleteDialog {...asked} remove={removeAndLeave} close={() => setAsking(false)} />}
    </>
  );
}

import { Field } from '@canvass/console-ui';
import { useState } from 'react';
import { usePreferences } from '../i18n';
import { textInput } from './fields';
import { instantOf } from './zoned-time';

/** The field for the end of a link, and the member of the request; no member if the field is empty. */
export function useExpiry(texts: { expires: string; expiresHint: string }) {
  const { zone } = usePreferences();
  const [time, setTime] = useState('');
  const expiresAt = instantOf(time, zone);
  const names = { label: texts.expires, hint: texts.expiresHint, name: 'expiresAt' };
  return {
    field: <Field {...names} type="datetime-local" {...textInput(time, setTime)} />,
    member: expiresAt === '' ? {} : { expiresAt },
  };
}

import { Field } from '@canvass/console-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Check } from '../check';
import { ChoiceField } from '../choice-field';
import { useFormTexts } from '../form-texts';
import { may, useMe } from '../me';
import { RecordsChoice } from '../records-choice';
import styles from './forms.module.css';
import { LogoField } from './logo-field';
import type { SettingsDraft } from './settings-draft';
import { useSettingsTexts } from './settings-texts';

type KeysOf<Value> = {
  [Key in keyof SettingsDraft]: SettingsDraft[Key] extends Value ? Key : never;
}[keyof SettingsDraft];

interface SettingsFieldsProps {
  draft: SettingsDraft;
  set(change: Partial<SettingsDraft>): void;
}

/** The settings of a form in groups. */
export function SettingsFields({ draft, set }: SettingsFieldsProps) {
  const texts = useFormTexts();
  const own = useSettingsTexts();
  const me = useMe();
  const text = (name: KeysOf<string>, props: Omit<ComponentProps<typeof Field>, 'value' | 'onChange'>) => (
    <Field
      autoComplete="off"
      {...props}
      value={draft[name]}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  const check = (name: KeysOf<boolean>, label: string) => (
    <Check label={label} isChecked={draft[name]} setChecked={(is) => set({ [name]: is })} />
  );
  return (
    <>
      <Group title={own.groupForm}>
        {text('name', { label: texts.name, required: true, maxLength: 200 })}
        {text('description', { label: texts.description, maxLength: 2000 })}
        {check('isEnabled', own.isEnabled)}
        <ChoiceField
          label={own.answerCheck}
          hint={own.checkHints[draft.answerCheck]}
          value={draft.answerCheck}
          choices={own.checks}
          choose={(answerCheck) => set({ answerCheck })}
        />
        <RecordsChoice
          kind="data_list"
          texts={{
            title: texts.listsOfForm,
            none: texts.noListsChosen,
            find: texts.findLists,
            notFound: texts.noListsFound,
          }}
          ids={draft.dataListIds}
          setIds={(dataListIds) => set({ dataListIds })}
          isReadOnly={!may(me, 'changeForm')}
        />
      </Group>
      <Group title={own.groupAnswers}>
        {check('isPublic', texts.isPublic)}
        {check('limitOnePerUser', own.limitOnePerUser)}
        {text('opensAt', { label: own.opensAt, hint: own.opensAtHint, type: 'datetime-local' })}
        {text('closesAt', { label: own.closesAt, hint: own.closesAtHint, type: 'datetime-local' })}
        {text('maxSubmissions', {
          label: own.maxSubmissions,
          hint: own.maxSubmissionsHint,
          type: 'number',
          min: 1,
          max: 10_000_000,
        })}
      </Group>
      <Group title={own.groupPage}>
        {text('slug', {
          label: own.slug,
          hint: own.slugHint,
          maxLength: 64,
          pattern: '(?=.*[a-z\\-])[a-z0-9\\-]{3,64}',
        })}
        <LogoField logo={draft.logo} setLogo={(logo) => set({ logo })} />
        {text('accent', { label: own.accent, hint: own.accentHint, pattern: '#[0-9a-fA-F]{6}' })}
        <ChoiceField
          label={own.scheme}
          value={draft.scheme}
          choices={own.schemes}
          choose={(scheme) => set({ scheme })}
        />
        {text('frameAncestors', { label: own.frameAncestors, hint: own.frameAncestorsHint })}
        {text('redirectTo', {
          label: own.redirectTo,
          hint: own.redirectToHint,
          type: 'url',
          pattern: 'https://.+',
        })}
        {text('redirectHosts', { label: own.redirectHosts, hint: own.redirectHostsHint })}
      </Group>
      <Group title={own.groupKept}>
        {text('retentionDays', {
          label: own.retentionDays,
          hint: own.retentionHint,
          type: 'number',
          min: 1,
          max: 36_500,
        })}
        {text('submissionTokenExpiryHours', {
          label: own.tokenHours,
          hint: own.tokenHoursHint,
          type: 'number',
          min: 1,
          max: 87_600,
        })}
      </Group>
    </>
  );
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.group}>
    <legend>{title}</legend>
    {children}
  </fieldset>
);

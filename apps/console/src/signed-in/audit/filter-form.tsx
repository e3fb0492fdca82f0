import { Button } from '@canvass/console-ui';
import { useEffect, useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n';
import styles from './audit.module.css';
import { areas, type FilterName, type Filters } from './query';
import { useAuditTexts } from './texts';

interface FilterFormProps {
  filters: Filters;
  setFilters(next: Filters): void;
}

/** The filters. They take effect with Enter or the button. */
export function FilterForm({ filters, setFilters }: FilterFormProps) {
  const common = useTexts();
  const texts = useAuditTexts();
  const [draft, setDraft] = useState(filters);
  const key = JSON.stringify(filters);
  useEffect(() => setDraft(JSON.parse(key) as Filters), [key]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const set = Object.entries(draft).filter(([, value]) => value.trim() !== '');
    setFilters(Object.fromEntries(set.map(([name, value]) => [name, value.trim()])));
  };
  const box = (name: FilterName, label: string, rest: { type?: string; placeholder?: string } = {}) => (
    <label>
      {label}
      <input
        {...rest}
        value={draft[name] ?? ''}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <form role="search" className={styles.filters} onSubmit={submit}>
      <label>
        {texts.area}
        <select
          value={draft.area ?? ''}
          onChange={(event) => setDraft({ ...draft, area: event.target.value })}
        >
          <option value="">{texts.allAreas}</option>
          {areas.map((own) => (
            <option key={own} value={own}>
              {texts.areas[own]}
            </option>
          ))}
        </select>
      </label>
      {box('action', texts.action, { placeholder: texts.actionHint })}
      {box('actor', texts.actor)}
      {box('objectType', texts.objectType, { placeholder: 'form' })}
      {box('objectId', texts.objectId)}
      {box('from', texts.from, { type: 'date' })}
      {box('to', texts.to, { type: 'date' })}
      <Button type="submit">{common.filterApply}</Button>
    </form>
  );
}

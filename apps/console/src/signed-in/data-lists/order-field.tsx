import { SelectField } from '@canvass/console-ui';
import { useListTexts } from '../data-list-texts';
import type { DataList } from './list-frame';

/** What sorts the items of a list, as the field `order` of a form. */
export function OrderField({ order, isDisabled }: { order: DataList['order']; isDisabled?: boolean }) {
  const texts = useListTexts();
  return (
    <SelectField label={texts.listOrder} name="order" defaultValue={order} disabled={isDisabled}>
      <option value="label">{texts.orderLabel}</option>
      <option value="file">{texts.orderFile}</option>
    </SelectField>
  );
}

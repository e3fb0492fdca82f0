import { Field, Panel, toast } from '@canvass/console-ui';
import { useState } from 'react';
import { useChange } from '../action';
import { ActionForm } from '../action-form';
import { api } from '../api';
import { textInput } from '../fields';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { useEndpointTexts } from './endpoint-texts';
import { endpointKeys, type Endpoint } from '../use-endpoints';
import { useStats } from './use-stats';

/** Shows how many deliveries an endpoint gets in a second, beside what it needed. */
export function EndpointLimit({ endpoint }: { endpoint: Endpoint & { etag: string } }) {
  const own = useEndpointTexts();
  const { number } = useFormats();
  const { id, maxPerSecond, etag } = endpoint;
  const { data } = useStats(id);
  const [limit, setLimit] = useState(String(maxPerSecond ?? ''));
  const save = useChange(endpointKeys(id), async () => {
    await api.PATCH('/api/webhooks/endpoints/{id}', {
      params: { path: { id }, header: { 'If-Match': etag } },
      body: { maxPerSecond: limit === '' ? null : Number(limit) },
    });
    toast(own.saved);
  });
  const busiest = Math.max(0, ...(data?.buckets ?? []).map(({ attempts }) => attempts));
  const rate = busiest < 3600 ? `< ${number(1)}` : number(busiest / 3600, 1);
  return (
    <Panel title={own.limit}>
      <ActionForm
        className={lists.work}
        action={save}
        submit={own.save}
        isIncomplete={limit === String(maxPerSecond ?? '')}
        outdated={own.changedMeanwhile}
      >
        <Field
          label={own.limit}
          hint={own.limitHint(number(busiest), rate)}
          type="number"
          min={1}
          step={1}
          {...textInput(limit, setLimit)}
        />
      </ActionForm>
    </Panel>
  );
}

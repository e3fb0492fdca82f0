import { Button, Field } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Answer } from '../answer';
import { get } from '../api';
import { useDeliveryTexts } from '../delivery-texts';
import { submitting, textInput } from '../fields';
import { useFormats } from '../formats';
import { Difference } from '../forms/difference';
import { formatted } from './compared';
import lists from '../list.module.css';
import styles from './desk.module.css';
import { useDeskTexts } from './texts';
import { useDelivery } from './use-delivery';

/** Suggested deliveries: the newest of the same record. */
const maxSuggested = 50;

interface CompareBodyProps {
  /** Id of the delivery whose body it is. */
  deliveryId: string;
  entityId: string;
  body: string;
}

/** Compares the body of a delivery with that of another one. */
export function CompareBody({ deliveryId, entityId, body }: CompareBodyProps) {
  const texts = useDeskTexts();
  const { events } = useDeliveryTexts();
  const { moment } = useFormats();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [other, setOther] = useState<string | null>(null);
  const { data: suggested = [] } = useQuery({
    queryKey: ['deliveries of', entityId],
    queryFn: async ({ signal }) =>
      (await get('/api/webhooks/deliveries', { query: { entityId, limit: maxSuggested } }, signal)).items,
  });
  return (
    <div className={styles.compare}>
      <form className={lists.work} onSubmit={submitting(() => setOther(typed.trim()))}>
        <Field
          label={texts.otherDelivery}
          hint={texts.otherDeliveryHint}
          list={list}
          inputMode="numeric"
          pattern="\s*[0-9]{1,19}\s*"
          required
          autoComplete="off"
          {...textInput(typed, setTyped)}
        />
        <datalist id={list}>
          {suggested
            .filter(({ id }) => id !== deliveryId)
            .map(({ id, eventName, createdAt }) => (
              <option key={id} value={id} label={`${events[eventName] ?? eventName}, ${moment(createdAt)}`} />
            ))}
        </datalist>
        <div>
          <Button type="submit">{texts.compare}</Button>
        </div>
      </form>
      {other !== null && <Comparison key={other} deliveryId={other} body={body} />}
    </div>
  );
}

function Comparison({ deliveryId, body }: { deliveryId: string; body: string }) {
  const texts = useDeskTexts();
  const delivery = useDelivery(deliveryId);
  return (
    <Answer query={delivery} operation="getWebhookDelivery">
      {({ messageBody }) =>
        messageBody === body ? (
          <p className={lists.note}>{texts.sameBodies}</p>
        ) : (
          <Difference label={texts.bodyDifference} before={formatted(messageBody)} after={formatted(body)} />
        )
      }
    </Answer>
  );
}

import type { components } from '@canvass/client';
import { Button, ForeignText, Panel } from '@canvass/console-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { FaultNotice, useAction } from '../action';
import { api, dataOf } from '../api';
import { Facts } from '../facts';
import { useAlertTexts } from './alert-texts';
import lists from '../list.module.css';

type Result = components['schemas']['WebhookAlertTest'];

/** Sends a test, and shows what happened to each part of it. */
export function AlertTest({ settings }: { settings: components['schemas']['WebhookAlertSettings'] }) {
  const own = useAlertTexts();
  const [result, setResult] = useState<Result | null>(null);
  const test = useAction(async () => {
    setResult(null);
    setResult((await dataOf(api.POST('/api/webhooks/alerts/test'))) ?? null);
  });
  const isEmpty = settings.addresses.length === 0 && settings.url === null;
  return (
    <Panel title={own.test}>
      <div className={lists.work}>
        <p>{own.testHint}</p>
        <Button disabled={isEmpty || test.isBusy} onClick={() => void test.run()}>
          {own.test}
        </Button>
        <FaultNotice fault={test.fault} />
      </div>
      {result !== null && (
        <div role="status">
          <Facts
            facts={[
              ...result.mails.map(
                ({ address, fault }) =>
                  [address, fault === null ? own.isSent : <ForeignText>{fault}</ForeignText>] as const,
              ),
              result.url !== null && [
                own.url,
                <Link href={`/deliveries/${result.url.deliveryId}`}>
                  {own.urlStates[result.url.status]} {result.url.statusCode}
                </Link>,
              ],
            ]}
          />
        </div>
      )}
    </Panel>
  );
}

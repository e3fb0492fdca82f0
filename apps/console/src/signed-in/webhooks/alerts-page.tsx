import type { components } from '@canvass/client';
import { Field, Notice, Panel } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { languages, useTexts } from '../../i18n';
import { taggedOf, type Tagged } from '../action';
import { Answer } from '../answer';
import { api } from '../api';
import { ChoiceField } from '../choice-field';
import { fieldsOf } from '../fields';
import { Editor } from '../editor';
import { Facts } from '../facts';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { AlertTest } from './alert-test';
import { useAlertTexts } from './alert-texts';

type Settings = components['schemas']['WebhookAlertSettings'];

const path = '/api/webhooks/alerts';
const queryKey = ['webhook alerts'];

/** Whom the tenant wants to know of the state of its endpoints. */
export default function AlertsPage() {
  const texts = useTexts();
  const own = useAlertTexts();
  const me = useMe();
  const stored = useQuery({
    queryKey,
    staleTime: Infinity, // what one types stays
    queryFn: ({ signal }) => taggedOf(api.GET(path, { signal })),
  });
  return (
    <Page
      title={texts.webhookAlerts}
      lead={own.lead}
      tools={<Link href="/endpoints">{texts.endpoints}</Link>}
    >
      <Answer query={stored} operation="getWebhookAlertSettings">
        {(data) => (
          <div className={lists.columns}>
            <div className={lists.side}>
              <AlertSettings current={data} />
              {may(me, 'testWebhookAlerts') && <AlertTest settings={data.record} />}
            </div>
            <div className={lists.side}>
              <Panel title={own.when}>
                <Facts facts={own.kinds} />
                <p className={lists.work}>{own.once}</p>
              </Panel>
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

const draftOf = ({ addresses, language, url }: Settings) => ({
  addresses: addresses.join(' '),
  language,
  url: url ?? '',
});

function AlertSettings({ current }: { current: Tagged<Settings> }) {
  const own = useAlertTexts();
  const client = useQueryClient();
  const mayEdit = may(useMe(), 'saveWebhookAlertSettings');
  const { mail, endpointId } = current.record;
  return (
    <Panel title={own.title}>
      {mail === 'not_configured' && <Notice tone="warn">{own.noMail}</Notice>}
      <Editor
        isReadOnly={!mayEdit}
        current={current}
        draftOf={draftOf}
        shown={[
          [own.addresses, 'addresses'],
          [own.language, 'language', ({ language }) => languages[language]],
          [own.url, 'url'],
        ]}
        read={() => taggedOf(api.GET(path))}
        save={({ addresses, language, url }, etag) =>
          taggedOf(
            api.PUT(path, {
              params: { header: { 'If-Match': etag } },
              body: {
                addresses: addresses.split(/[\s,;]+/).filter((each) => each !== ''),
                language,
                url: url === '' ? null : url,
              },
            }),
          )
        }
        saved={(next) => client.setQueryData(queryKey, next)}
      >
        {(draft, set) => (
          <>
            <Field
              {...fieldsOf(draft, set)('addresses')}
              label={own.addresses}
              hint={own.addressesHint}
              autoComplete="off"
              readOnly={!mayEdit}
            />
            <ChoiceField
              label={own.language}
              disabled={!mayEdit}
              value={draft.language}
              choices={languages}
              choose={(language) => set({ language })}
            />
            <Field
              {...fieldsOf(draft, set)('url')}
              label={own.url}
              hint={own.urlHint}
              type="url"
              autoComplete="off"
              readOnly={!mayEdit}
            />
            {endpointId !== null && <Link href={`/endpoints/${endpointId}`}>{own.endpoint}</Link>}
          </>
        )}
      </Editor>
    </Panel>
  );
}

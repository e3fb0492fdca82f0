import { Button, buttonClass, Notice, Panel, SelectField } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { usePreferences } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { api, dataOf, exactDataOf } from '../api';
import { CopyButton } from '../copy-button';
import { saveFile } from '../download';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { languageName } from '../language-name';
import { may, useMe } from '../me';
import { namedIn } from './definition';
import { pageAddress, pagesAt } from '../page-address';
import { Invitations } from './invitations';
import { useShareTexts } from './share-texts';
import styles from './share.module.css';

/** The ways to the page on which respondents answer a form. */
export default function SharePage() {
  return <FormFrame>{(form) => <Share key={form.id} form={form} />}</FormFrame>;
}

function Share({ form }: { form: Form }) {
  const texts = useShareTexts();
  const all = useFormTexts();
  const { language } = usePreferences();
  const [locale, setLocale] = useState('');
  const code = useRef<SVGSVGElement>(null);
  const languages = [...namedIn(form.definition).languages].sort();
  const address = pageAddress(form) + (locale && `?lang=${locale}`);
  const inLanguage = locale && ` data-lang="${locale}"`;
  const snippet = `<script src="${pagesAt}/embed.js" data-form="${form.id}"${inLanguage} async></script>`;
  const saveCode = () =>
    saveFile(
      `${form.name}.svg`,
      new Blob([new XMLSerializer().serializeToString(code.current!)], { type: 'image/svg+xml' }),
    );
  return (
    <>
      <Panel title={texts.pageOfForm}>
        <div className={styles.panel}>
          <div className={styles.ways}>
            <Openness form={form} />
            {languages.length > 0 && (
              <SelectField
                label={texts.pageLanguage}
                value={locale}
                onChange={({ target }) => setLocale(target.value)}
              >
                <option value="">{texts.browserLanguage}</option>
                {languages.map((name) => (
                  <option key={name} value={name}>
                    {languageName(name, language)}
                  </option>
                ))}
              </SelectField>
            )}
            <div className={styles.way} role="group" aria-label={texts.address}>
              <code>{address}</code>
              <div className={styles.buttons}>
                <CopyButton text={address} />
                <a className={buttonClass} href={address} target="_blank" rel="noreferrer">
                  {texts.openPage}
                </a>
              </div>
            </div>
          </div>
          <div className={styles.code}>
            {/* Black on white in the dark theme, too: many apps read nothing else. */}
            <QRCodeSVG ref={code} value={address} size={512} marginSize={4} title={texts.codeOfAddress} />
            <Button onClick={saveCode}>{texts.saveCode}</Button>
          </div>
        </div>
      </Panel>
      <Panel title={texts.embed}>
        <div className={styles.panel}>
          <div className={styles.way} role="group" aria-label={texts.embed}>
            <p>{texts.embedHint}</p>
            {!form.page?.frameAncestors?.length && (
              <p>
                {texts.embedNowhere} <Link href={`/forms/${form.id}/settings`}>{all.tabSettings}</Link>
              </p>
            )}
            <code>{snippet}</code>
            <CopyButton text={snippet} />
          </div>
        </div>
      </Panel>
      <Invitations form={form} />
    </>
  );
}

/** Says why the page takes no answers, or only those of some. */
function Openness({ form }: { form: Form }) {
  const texts = useShareTexts();
  const all = useFormTexts();
  const { moment } = useFormats();
  const client = useQueryClient();
  const mayChange = may(useMe(), 'changeForm');
  const { id, isEnabled, isPublic, opensAt, closesAt, maxSubmissions } = form;
  const params = { path: { formId: id } };
  const state = useQuery({
    queryKey: ['form state', id],
    enabled: isEnabled && maxSubmissions !== null,
    queryFn: ({ signal }) => dataOf(api.GET('/api/public/forms/{formId}/state', { params, signal })),
  });
  const open = useAction(async (body: { isEnabled: true } | { isPublic: true }) => {
    const header = { 'If-Match': `"${form.revision}"` };
    client.setQueryData(
      ['form', id],
      await exactDataOf<Form>(
        api.PATCH('/api/forms/{formId}', { params: { ...params, header }, body, parseAs: 'text' }),
      ),
    );
  });
  const now = new Date().toISOString();
  const reasons = [
    !isEnabled && texts.pageDisabled,
    opensAt !== null && opensAt > now && texts.pageNotOpen(moment(opensAt)),
    closesAt !== null && closesAt <= now && texts.pageClosed(moment(closesAt)),
    state.data?.reason === 'form_full' && texts.pageFull,
    !isPublic && texts.pagePrivate,
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return <Notice tone="good">{texts.pageOpen}</Notice>;
  return (
    <>
      <Notice tone="warn">
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </Notice>
      <FaultNotice fault={open.fault} />
      <div className={styles.buttons}>
        {mayChange && !isEnabled && (
          <Button look="primary" disabled={open.isBusy} onClick={() => void open.run({ isEnabled: true })}>
            {all.enable}
          </Button>
        )}
        {mayChange && !isPublic && (
          <Button disabled={open.isBusy} onClick={() => void open.run({ isPublic: true })}>
            {texts.makePublic}
          </Button>
        )}
        <Link className={buttonClass} href={`/forms/${id}/settings`}>
          {all.tabSettings}
        </Link>
      </div>
    </>
  );
}

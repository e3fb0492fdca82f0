import { Button, Panel } from '@canvass/console-ui';
import { QRCodeSVG } from 'qrcode.react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { usePreferences } from '../../i18n';
import { ChoiceField } from '../choice-field';
import { CopyButton } from '../copy-button';
import { saveFile } from '../download';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { languageNames } from '../language-name';
import { namedIn } from './definition';
import { pageAddress, pagesAt } from '../page-address';
import { Invitations } from './invitations';
import { Openness, PageAddress } from './page-for-respondents';
import { useShareTexts } from './share-texts';
import lists from '../list.module.css';
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
              <ChoiceField
                label={texts.pageLanguage}
                value={locale}
                choices={{ '': texts.browserLanguage, ...languageNames(languages, language) }}
                choose={setLocale}
              />
            )}
            <PageAddress address={address} />
          </div>
          <div className={styles.code}>
            {/* Black on white in the dark theme, too: many apps read nothing else. */}
            <QRCodeSVG
              ref={code}
              className={lists.code}
              value={address}
              size={512}
              marginSize={4}
              title={texts.codeOfAddress}
            />
            <Button onClick={saveCode}>{texts.saveCode}</Button>
          </div>
        </div>
      </Panel>
      <Panel title={texts.embed}>
        <div className={styles.panel}>
          <div className={lists.start} role="group" aria-label={texts.embed}>
            <p>{texts.embedHint}</p>
            {!form.page?.frameAncestors?.length && (
              <p>
                {texts.embedNowhere} <Link href={`/forms/${form.id}/settings`}>{all.tabSettings}</Link>
              </p>
            )}
            <code className={lists.copied}>{snippet}</code>
            <CopyButton text={snippet} />
          </div>
        </div>
      </Panel>
      <Invitations form={form} />
    </>
  );
}

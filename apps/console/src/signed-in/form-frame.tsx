import { Badge } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useTexts, type Texts } from '../i18n';
import { Answer } from './answer';
import { AuditLink } from './audit-link';
import styles from './frame.module.css';
import { useFormTexts, type FormTexts } from './form-texts';
import { may, useMe } from './me';
import { Page } from './page';
import { useForm, type Form } from './use-form';

export type { Form } from './use-form';

type Title = (own: FormTexts, all: Texts) => string;

const tabs: [path: string, title: Title, operation: string][] = [
  ['/submissions', (_, all) => all.submissions, 'listSubmissions'],
  ['/summary', (own) => own.tabSummary, 'getFormSummary'],
  ['/definition', (own) => own.tabDefinition, 'getForm'],
  ['/share', (own) => own.tabShare, 'getForm'],
  ['/versions', (own) => own.tabVersions, 'listFormVersions'],
  ['/numbers', (own) => own.tabNumbers, 'getSubmissionStats'],
  // Without the permission to see the endpoints, a form does not show its settings.
  ['/webhook-settings', (_, all) => all.webhookSettings, 'listWebhookEndpoints'],
  ['/settings', (own) => own.tabSettings, 'getForm'],
];

/** The way to the pages of a form. */
export function FormTabs({ formId }: { formId: string }) {
  const own = useFormTexts();
  const all = useTexts();
  const me = useMe();
  const [path] = useLocation();
  return (
    <nav className={styles.tabs} aria-label={own.views}>
      {tabs
        .filter(([, , operation]) => may(me, operation))
        .map(([end, title]) => (
          <Link
            key={end}
            href={`/forms/${formId}${end}`}
            aria-current={path === `/forms/${formId}${end}` ? 'page' : undefined}
          >
            {title(own, all)}
          </Link>
        ))}
    </nav>
  );
}

interface FormFrameProps {
  /** Tools beside the title. */
  tools?(form: Form): ReactNode;
  children(form: Form): ReactNode;
}

/** The frame of the pages of the form in the URL: its name, its state, and the way to its other pages. */
export function FormFrame({ tools, children }: FormFrameProps) {
  const { formId = '' } = useParams();
  const all = useTexts();
  const form = useForm(formId);
  const { data } = form;
  const lead = (
    <span className={styles.lead}>
      <Link href="/forms">{all.forms}</Link>
      {data && <FormState form={data} />}
      <AuditLink type="form" id={formId} />
    </span>
  );
  return (
    <Page title={data?.name ?? all.form} lead={lead} tools={data && tools?.(data)}>
      <FormTabs formId={formId} />
      <Answer query={form} operation="getForm">
        {children}
      </Answer>
    </Page>
  );
}

/** Shows whether a form accepts submissions, and from whom. */
export function FormState({
  form: { isEnabled, isPublic, limitOnePerUser },
}: {
  form: Partial<Pick<Form, 'isEnabled' | 'isPublic' | 'limitOnePerUser'>>;
}) {
  const own = useFormTexts();
  const all = useTexts();
  return (
    <span className={styles.lead}>
      <Badge tone={isEnabled ? 'good' : 'none'}>{isEnabled ? all.formEnabled : all.formDisabled}</Badge>
      <Badge tone="none">{isPublic ? own.formPublic : all.formPrivate}</Badge>
      {limitOnePerUser && <Badge tone="none">{own.onePerUser}</Badge>}
    </span>
  );
}

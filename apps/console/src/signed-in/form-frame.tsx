import { Badge, Button, buttonClass } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useTexts, type Texts } from '../i18n';
import { Answer } from './answer';
import { AuditLink } from './audit-link';
import styles from './frame.module.css';
import { useFormTexts, type FormTexts } from './form-texts';
import { inSight } from './in-sight';
import { may, useMe } from './me';
import { Page } from './page';
import { useForm, type Form } from './use-form';

export type { Form } from './use-form';

type Title = (own: FormTexts, all: Texts) => string;
type Tab = readonly [end: string, title: Title, operation: string];

const tabs: readonly Tab[] = [
  ['', (_, all) => all.overview, 'getForm'],
  ['/edit', (own) => own.tabEdit, 'getForm'],
  ['/share', (own) => own.tabShare, 'getForm'],
  ['/submissions', (_, all) => all.answers, 'listSubmissions'],
  ['/summary', (own) => own.tabSummary, 'getFormSummary'],
  ['/settings', (own) => own.tabSettings, 'getForm'],
];

const settingsTabs: readonly Tab[] = [
  ['/settings', (own) => own.tabGeneral, 'getForm'],
  ['/settings/versions', (own) => own.tabVersions, 'listFormVersions'],
  // Without the permission to see the endpoints, a form does not show its settings.
  ['/settings/webhooks', (own) => own.webhooks, 'listWebhookEndpoints'],
];

/** The frame of the pages of the form in the URL: its name, its state, and the way to its other pages. */
export function FormFrame({ children }: { children(form: Form): ReactNode }) {
  const { formId = '' } = useParams();
  const own = useFormTexts();
  const all = useTexts();
  const [path] = useLocation();
  const form = useForm(formId);
  const { data } = form;
  const end = path.slice(`/forms/${formId}`.length);
  const isOfSettings = end.startsWith('/settings');
  const [, titleOf] = [...settingsTabs, ...tabs].findLast(([known]) => known === end)!;
  const lead = (
    <span className={styles.lead}>
      <Link href="/forms">{all.forms}</Link>
      {data && <FormState form={data} />}
      <AuditLink type="form" id={formId} />
    </span>
  );
  return (
    <Page
      title={data?.name ?? all.form}
      part={titleOf(own, all)}
      lead={lead}
      tools={<HeaderTools formId={formId} />}
    >
      <Tabs label={own.views} tabs={tabs} formId={formId} current={isOfSettings ? '/settings' : end} />
      {isOfSettings && <Tabs label={own.tabSettings} tabs={settingsTabs} formId={formId} current={end} />}
      <Answer query={form} operation="getForm">
        {children}
      </Answer>
    </Page>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  formId: string;
  current: string;
}

function Tabs({ label, tabs: offered, formId, current }: TabsProps) {
  const own = useFormTexts();
  const all = useTexts();
  const me = useMe();
  return (
    <nav className={offered === tabs ? styles.tabs : styles.parts} aria-label={label}>
      {offered
        .filter(([, , operation]) => may(me, operation))
        .map(([end, title]) => (
          <Link
            key={end}
            href={`/forms/${formId}${end}`}
            {...(end === current && { 'aria-current': 'page', ref: inSight })}
          >
            {title(own, all)}
          </Link>
        ))}
    </nav>
  );
}

/** The name of the parameter that shows the preview beside the editor. */
const previewParameter = 'preview';

/** Whether the editor of the form in the URL has its preview beside it. */
export const usePreviewed = (): boolean => useSearchParams()[0].has(previewParameter);

function HeaderTools({ formId }: { formId: string }) {
  const own = useFormTexts();
  const [path, navigate] = useLocation();
  const editor = `/forms/${formId}/edit`;
  const isPreviewed = usePreviewed() && path === editor;
  return (
    <span className={styles.lead}>
      <Button
        aria-pressed={isPreviewed}
        onClick={() => navigate(isPreviewed ? editor : `${editor}?${previewParameter}`)}
      >
        {own.preview}
      </Button>
      <Link href={`/forms/${formId}/share`} className={buttonClass}>
        {own.tabShare}
      </Link>
    </span>
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

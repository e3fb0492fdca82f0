import { Badge, Button, buttonClass } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useTexts } from '../i18n';
import { Answer, isNothing } from './answer';
import { AuditLink } from './audit-link';
import { EnabledBadge } from './list-parts';
import styles from './frame.module.css';
import { useFormTexts } from './form-texts';
import { Page } from './page';
import { Tabs, type Tab } from './tabs';
import { useForm, type Form } from './use-form';

export type { Form } from './use-form';

/** The frame of the pages of the form in the URL: its name, its state, and the way to its other pages. */
export function FormFrame({ children }: { children(form: Form): ReactNode }) {
  const { formId = '' } = useParams();
  const own = useFormTexts();
  const all = useTexts();
  const [path] = useLocation();
  const form = useForm(formId);
  const { data } = form;
  const isThere = !isNothing(form);
  const base = `/forms/${formId}`;
  const end = path.slice(base.length);
  const isOfSettings = end.startsWith('/settings');
  const tabs: Tab[] = [
    ['', all.overview, 'getForm'],
    ['/edit', own.tabEdit, 'getForm'],
    ['/share', own.tabShare, 'getForm'],
    ['/submissions', all.answers, 'listSubmissions'],
    ['/summary', own.tabSummary, 'getFormSummary'],
    ['/settings', own.tabSettings, 'getForm'],
  ];
  const parts: Tab[] = [
    ['/settings', own.tabGeneral, 'getForm'],
    ['/settings/versions', own.tabVersions, 'listFormVersions'],
    // Without the permission to see the endpoints, a form does not show its settings.
    ['/settings/webhooks', own.webhooks, 'listWebhookEndpoints'],
  ];
  const [, part] = [...parts, ...tabs].findLast(([known]) => known === end)!;
  const lead = (
    <span className={styles.lead}>
      <Link href="/forms">{all.forms}</Link>
      {data && <FormState form={data} />}
      {isThere && <AuditLink type="form" id={formId} />}
    </span>
  );
  return (
    <Page
      title={data?.name ?? all.form}
      part={part}
      lead={lead}
      tools={isThere && <HeaderTools formId={formId} />}
    >
      {isThere && (
        <Tabs label={own.views} base={base} tabs={tabs} current={isOfSettings ? '/settings' : end} />
      )}
      {isThere && isOfSettings && (
        <Tabs label={own.tabSettings} base={base} tabs={parts} current={end} areParts />
      )}
      <Answer query={form} operation="getForm">
        {children}
      </Answer>
    </Page>
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
      <EnabledBadge isEnabled={isEnabled} />
      <Badge tone="none">{isPublic ? own.formPublic : all.formPrivate}</Badge>
      {limitOnePerUser && <Badge tone="none">{own.onePerUser}</Badge>}
    </span>
  );
}

import { Button, buttonClass, Notice } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { FaultNotice, useAction } from '../action';
import { api, exactDataOf, get } from '../api';
import { CopyButton } from '../copy-button';
import type { Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import { useShareTexts } from './share-texts';
import lists from '../list.module.css';

/** The address of the page on which respondents answer a form. */
export function PageAddress({ address }: { address: string }) {
  const texts = useShareTexts();
  return (
    <div className={lists.start} role="group" aria-label={texts.address}>
      <code className={lists.copied}>{address}</code>
      <div className={lists.row}>
        <CopyButton text={address} />
        <a className={buttonClass} href={address} target="_blank" rel="noreferrer">
          {texts.openPage}
        </a>
      </div>
    </div>
  );
}

/** Says why the page takes no answers, or only those of some. */
export function Openness({ form }: { form: Form }) {
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
    queryFn: ({ signal }) => get('/api/public/forms/{formId}/state', params, signal),
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
      <div className={lists.row}>
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

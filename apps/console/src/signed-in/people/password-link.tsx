import { Button, Notice } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consolePath } from '../../base';
import { FaultNotice, useChange } from '../action';
import { api, dataOf, get } from '../api';
import { Author } from '../author';
import { useFormats } from '../formats';
import { Once } from './once';
import lists from '../list.module.css';
import { usePeopleTexts } from './texts';

interface Made {
  sentTo: string | null;
  url: string;
  expiresAt: string;
}

/**
 * Makes a link with which a user sets a password, and withdraws an open one. Without a mail server a new one
 * is shown, to be passed on.
 */
export function PasswordLink({ userId }: { userId: string }) {
  const texts = usePeopleTexts();
  const { moment } = useFormats();
  const [made, setMade] = useState<Made | null>(null);
  const queryKey = ['password-link', userId];
  const open = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await get('/api/password-links', { query: { userId, limit: 1 } }, signal)).items[0] ?? null,
  });
  const withdraw = useChange([queryKey], async () => {
    await api.DELETE('/api/users/{id}/password-link', { params: { path: { id: userId } } });
    setMade(null);
  });
  const make = useChange([queryKey], async () => {
    const path = { id: userId };
    const link = await dataOf(api.POST('/api/users/{id}/password-link', { params: { path } }));
    const ownPage = `${location.origin}${consolePath}/set-password#token=${link.token ?? ''}`;
    setMade({ sentTo: link.sentTo, url: link.url ?? ownPage, expiresAt: link.expiresAt });
  });
  return (
    <>
      <p>{texts.passwordLinkText}</p>
      <FaultNotice fault={make.fault ?? withdraw.fault} />
      {made !== null && made.sentTo !== null && <Notice tone="good">{texts.linkSent(made.sentTo)}</Notice>}
      {made !== null && made.sentTo === null && (
        <Once label={texts.passwordLink} text={made.url}>
          {texts.linkShown(moment(made.expiresAt))}
        </Once>
      )}
      {open.data && (
        <p>
          {texts.linkOpen(moment(open.data.madeAt), moment(open.data.expiresAt))}{' '}
          {open.data.madeBy && <Author of={open.data.madeBy} />}
        </p>
      )}
      <div className={lists.row}>
        <Button onClick={() => void make.run()} disabled={make.isBusy}>
          {texts.makeLink}
        </Button>
        {open.data && (
          <Button look="danger" onClick={() => void withdraw.run()} disabled={withdraw.isBusy}>
            {texts.withdrawLink}
          </Button>
        )}
      </div>
    </>
  );
}

import { Button, Notice } from '@canvass/console-ui';
import { useState } from 'react';
import { consolePath } from '../../base';
import { FaultNotice, useAction } from '../action';
import { api, dataOf } from '../api';
import { useFormats } from '../formats';
import { Once } from './once';
import { usePeopleTexts } from './texts';

interface Made {
  sentTo: string | null;
  url: string;
  expiresAt: string;
}

/** Makes a link with which a user sets a password. Without a mail server it is shown, to be passed on. */
export function PasswordLink({ userId }: { userId: string }) {
  const texts = usePeopleTexts();
  const { moment } = useFormats();
  const [made, setMade] = useState<Made | null>(null);
  const make = useAction(async () => {
    const path = { id: userId };
    const link = await dataOf(api.POST('/api/users/{id}/password-link', { params: { path } }));
    const ownPage = `${location.origin}${consolePath}/set-password#token=${link.token ?? ''}`;
    setMade({ sentTo: link.sentTo, url: link.url ?? ownPage, expiresAt: link.expiresAt });
  });
  return (
    <>
      <p>{texts.passwordLinkText}</p>
      <FaultNotice fault={make.fault} />
      {made !== null && made.sentTo !== null && <Notice tone="good">{texts.linkSent(made.sentTo)}</Notice>}
      {made !== null && made.sentTo === null && (
        <Once label={texts.passwordLink} text={made.url}>
          {texts.linkShown(moment(made.expiresAt))}
        </Once>
      )}
      <div>
        <Button onClick={() => void make.run()} disabled={make.isBusy}>
          {texts.makeLink}
        </Button>
      </div>
    </>
  );
}

import { ForeignText } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { get } from './api';
import { useKindTexts } from './kind-texts';
import { may, useMe } from './me';
import { RecordName } from './record-name';

/** The caller of the API. */
export interface Caller {
  provider: string;
  kind: string;
  subject: string;
}

/** Returns whether a recorded caller is the person who is signed in. */
export const isCaller = (me: Caller, caller: Caller | null | undefined): boolean =>
  caller?.subject === me.subject && caller.kind === me.kind && caller.provider === me.provider;

/** The e-mail address of a caller; undefined if it is no user of this installation, or may not be read. */
export function useAddress(caller: Caller | null | undefined): string | undefined {
  const me = useMe();
  const { provider, kind, subject: id = '' } = caller ?? {};
  const isOwn = isCaller(me, caller);
  const { data } = useQuery({
    queryKey: ['address', id],
    staleTime: 300_000,
    enabled: kind === 'user' && provider === 'Service' && !isOwn && may(me, 'getUser'),
    queryFn: async ({ signal }) => (await get('/api/users/{id}', { path: { id } }, signal)).email,
  });
  return isOwn ? (me.email ?? undefined) : data;
}

interface AuthorProps {
  of: Caller | null | undefined;
  /** Shown if the author is not known. */
  unknown?: string;
}

/** Who did something: the e-mail address or the name, or the kind of a caller whose name one may not see. */
export function Author({ of, unknown = '–' }: AuthorProps) {
  const { kinds } = useKindTexts();
  const address = useAddress(of);
  if (!of) return unknown;
  const { kind, provider, subject } = of;
  if (kind === 'service') return <RecordName kind="service_account" id={subject} />;
  if (address === undefined && provider === 'Service') return kinds['user'];
  return <ForeignText isCut>{address ?? subject}</ForeignText>;
}

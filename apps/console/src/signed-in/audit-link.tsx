import { Link } from 'wouter';
import { useTexts } from '../i18n';
import { may, useMe } from './me';

/** A link to the recorded actions on a record, for users who may read them. */
export function AuditLink({ type, id }: { type: string; id: string }) {
  const texts = useTexts();
  if (!may(useMe(), 'listAudit')) return null;
  const search = new URLSearchParams({ objectType: type, objectId: id });
  return <Link href={`/audit?${search.toString()}`}>{texts.audit}</Link>;
}

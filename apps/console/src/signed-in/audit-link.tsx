import { Link } from 'wouter';
import { useTexts } from '../i18n';
import { may, useMe } from './me';

/** The way from a record to what the audit trail has of it. */
export function AuditLink({ type, id }: { type: string; id: string }) {
  const texts = useTexts();
  if (!may(useMe(), 'listAudit')) return null;
  const search = new URLSearchParams({ objectType: type, objectId: id });
  return <Link href={`/audit?${search.toString()}`}>{texts.audit}</Link>;
}

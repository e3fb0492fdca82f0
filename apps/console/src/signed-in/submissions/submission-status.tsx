import { Badge, type Tone } from '@canvass/console-ui';
import { useTexts } from '../../i18n';
import lists from '../list.module.css';

const reviewTones: Readonly<Record<string, Tone>> = { approved: 'good', declined: 'bad' };
const collectionTones: Readonly<Record<string, Tone>> = { in_progress: 'warn', complete: 'good' };

/** The review status, and whether it is a test. A status of a later version is shown as it is. */
export function ReviewStatus({ status = '', isTest = false }: { status?: string; isTest?: boolean }) {
  const texts = useTexts();
  const names: Readonly<Record<string, string>> = texts.reviewStatuses;
  return (
    <span className={lists.row}>
      <Badge tone={reviewTones[status] ?? 'none'}>{names[status] ?? status}</Badge>
      {isTest && <Badge tone="warn">{texts.test}</Badge>}
    </span>
  );
}

/** Shows how far the answers of a submission are collected. */
export function CollectionStatus({ status = '' }: { status?: string }) {
  const names: Readonly<Record<string, string>> = useTexts().collectionStatuses;
  return <Badge tone={collectionTones[status] ?? 'none'}>{names[status] ?? status}</Badge>;
}

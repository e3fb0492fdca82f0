import { Badge, type Tone } from '@canvass/console-ui';
import { useTexts, type Texts } from '../../i18n';
import lists from '../list.module.css';

/** Names of the review statuses. */
export const reviewNames = (texts: Texts): Record<'new' | 'read' | 'approved' | 'declined', string> => ({
  new: texts.statusNew,
  read: texts.statusRead,
  approved: texts.statusApproved,
  declined: texts.statusDeclined,
});

/** Names of the collection statuses. */
export const collectionNames = (texts: Texts): Record<string, string> => ({
  not_started: texts.collectionNotStarted,
  in_progress: texts.collectionInProgress,
  complete: texts.collectionComplete,
  screen_out: texts.collectionScreenedOut,
});

const reviewTones: Readonly<Record<string, Tone>> = { approved: 'good', declined: 'bad' };
const collectionTones: Readonly<Record<string, Tone>> = { in_progress: 'warn', complete: 'good' };

/** The review status, and whether it is a test. A status of a later version is shown as it is. */
export function ReviewStatus({ status = '', isTest = false }: { status?: string; isTest?: boolean }) {
  const texts = useTexts();
  const names: Readonly<Record<string, string>> = reviewNames(texts);
  return (
    <span className={lists.row}>
      <Badge tone={reviewTones[status] ?? 'none'}>{names[status] ?? status}</Badge>
      {isTest && <Badge tone="warn">{texts.test}</Badge>}
    </span>
  );
}

/** Shows how far the answers of a submission are collected. */
export function CollectionStatus({ status = '' }: { status?: string }) {
  const names = collectionNames(useTexts());
  return <Badge tone={collectionTones[status] ?? 'none'}>{names[status] ?? status}</Badge>;
}

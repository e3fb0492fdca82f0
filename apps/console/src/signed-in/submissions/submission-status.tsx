import { Badge, type Tone } from '@canvass/console-ui';
import { useTexts, type Texts } from '../../i18n';

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

type Names = Readonly<Record<string, readonly [tone: Tone, name: string]>>;

/** The review status of a submission. A status that this version does not know is shown as it is. */
export function ReviewStatus({ status = '' }: { status?: string }) {
  const texts = useTexts();
  const names: Names = {
    new: ['none', texts.statusNew],
    read: ['none', texts.statusRead],
    approved: ['good', texts.statusApproved],
    declined: ['bad', texts.statusDeclined],
  };
  const [tone, name] = names[status] ?? ['none', status];
  return <Badge tone={tone}>{name}</Badge>;
}

/** Shows how far the answers of a submission are collected. */
export function CollectionStatus({ status = '' }: { status?: string }) {
  const texts = useTexts();
  const names: Names = {
    not_started: ['none', texts.collectionNotStarted],
    in_progress: ['warn', texts.collectionInProgress],
    complete: ['good', texts.collectionComplete],
    screen_out: ['none', texts.collectionScreenedOut],
  };
  const [tone, name] = names[status] ?? ['none', status];
  return <Badge tone={tone}>{name}</Badge>;
}

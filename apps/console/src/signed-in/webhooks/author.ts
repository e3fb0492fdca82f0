import type { components } from '@canvass/client';

/** Who started a recovery, as far as it is known. */
export const authorOf = ({
  startedBy,
}: Pick<components['schemas']['WebhookRecovery'], 'startedBy'>): string => startedBy?.subject ?? '–';

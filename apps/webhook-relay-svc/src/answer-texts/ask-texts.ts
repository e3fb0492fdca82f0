import type { Logger } from '@canvass/service-kit';
import type { SettingsOwnerOptions } from '../endpoints';

/** The event of which answers are wanted as people read them. */
export interface TextsOf {
  tenantId: string;
  formId: string;
  /** The entity of the event, JSON. */
  data: Buffer;
}

/**
 * JSON of the answers as people read them: `AnswerText` of submissions-svc, in the order of the form; `null`
 * for answers that have none.
 */
interface AnswerTexts {
  json: string;
  /** False: datalists-svc did not answer, and values of data lists have no label. */
  hasListLabels: boolean;
}

/** `away`: submissions-svc does not respond. */
export type AskTexts = (asked: TextsOf) => Promise<AnswerTexts | 'away'>;

/** Asks submissions-svc, which knows the form and its data lists, at its internal listener. */
export function createAskTexts({ baseUrl, timeoutMs, serviceToken, logger }: SettingsOwnerOptions): AskTexts {
  return async ({ tenantId, formId, data }) => {
    const { jsonData, completedAt, modifiedAt } = JSON.parse(data.toString('utf8')) as Record<
      string,
      unknown
    >;
    if (typeof jsonData !== 'string') return none;
    try {
      const response = await fetch(new URL('/internal/answer-texts', baseUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${serviceToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tenantId, formId, jsonData, at: completedAt ?? modifiedAt }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      // The form is no longer kept, or the answers are nothing that it can read.
      if (response.status === 404 || response.status === 400) return none;
      if (response.status !== 200) return away(logger, { status: response.status });
      const { answers, hasListLabels } = (await response.json()) as Record<string, unknown>;
      return { json: JSON.stringify(answers ?? null), hasListLabels: hasListLabels === true };
    } catch (error) {
      return away(logger, { error: String(error) });
    }
  };
}

const none: AnswerTexts = { json: 'null', hasListLabels: true };

function away(logger: Logger, details: Record<string, unknown>): 'away' {
  logger.warn(details, 'texts of answers unavailable; the event will be retried');
  return 'away';
}

import type { Permission, Principal } from '@canvass/auth';

/** The topics that a client can be notified of, and the permission that it needs. */
export const topicPermissions = {
  submissions: 'Submissions.View',
  exports: 'Submissions.Export',
  forms: 'Forms.View',
  imports: 'DataLists.View',
  deliveries: 'WebHooks.View',
  recoveries: 'WebHooks.View',
  health: 'WebHooks.View',
} as const satisfies Record<string, Permission>;

export type Topic = keyof typeof topicPermissions;
export const topics = Object.keys(topicPermissions) as Topic[];

const topicsOfTypes: readonly (readonly [type: RegExp, topic: Topic])[] = [
  [/^export\./, 'exports'],
  [/^(submission\.|submitter\.erased$)/, 'submissions'],
  [/^form\.(created|updated|enabled_state_changed|deleted)$/, 'forms'],
  [/^(datalist\.imported$|import\.)/, 'imports'],
  [/^webhook\.delivery_/, 'deliveries'],
  [/^webhook\.endpoint_/, 'health'],
];

/** The topic of an event on RabbitMQ, or undefined: clients are not notified of it. */
export const topicOf = (type: string): Topic | undefined =>
  topicsOfTypes.find(([pattern]) => pattern.test(type))?.[1];

/**
 * Returns whether a caller may learn of a change. A service account that is restricted to forms learns of
 * these forms only.
 */
export const maySee = (
  { permissions, formIds }: Pick<Principal, 'permissions' | 'formIds'>,
  { topic, formId }: { topic: Topic; formId: string | null },
): boolean =>
  permissions.has(topicPermissions[topic]) && (formIds === undefined || formIds.has(formId ?? ''));

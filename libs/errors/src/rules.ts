/**
 * The rules that services check themselves, with their sentence, in which `{x}` is a parameter. Clients may
 * switch on a name, so it is never changed. Rules of single values have names of joi.
 */
export const ruleTexts = {
  'code.required': 'is required, because you have a second factor',
  'code.wrong': 'is wrong or was used before',
  'filter.absent': 'has an empty value among others; use null for an absent one',
  'filter.answer': 'must be answers.<path><operator><value>, with an operator of : !: ~: >: <: > <',
  'filter.answer_number': 'must compare an answer with one number',
  'filter.answer_path': 'must have a path of at most {limit} characters',
  'filter.answer_text': 'must look for a text',
  'filter.boolean': 'must have true or false as value',
  'filter.choice': 'must have one of {values} as value',
  'filter.event': 'names answers or a profile, which this event does not have',
  'filter.event_field': 'names the field {field}, which this event does not have',
  'filter.field': 'names the field {field}, which is not available for filters',
  'filter.number': 'must have a whole number from 0 to {limit} as value',
  'filter.one_value': 'must compare with one value that is not null',
  'filter.order': 'compares a field that is neither a number nor a time; it supports only : and !:',
  'filter.profile': 'compares a profile field, which supports only : and !:',
  'filter.profile_field':
    'names a profile field that is not configured (Service:Submitter:ProfileSnapshotFields)',
  'filter.syntax': 'must be <field><operator><value>, with an operator of : !: >: <: > <',
  'filter.time': '{rule}, as value',
  'filter.values': 'must have at most {limit} values',
  'link.ended': 'is not valid any more; ask for a new link',
  'password.common': 'is one of the most used passwords; choose another one',
  'password.personal': 'must not consist of the address, the name or the tenant of the user',
  'password.wrong': 'is wrong',
  'time.order': 'must be after opensAt',
  'url.refused': '{reason}',
} as const;

export type RuleName = keyof typeof ruleTexts;

/** A broken rule without its place. */
export interface BrokenRule {
  rule: string;
  params: Record<string, unknown>;
  message: string;
}

export const brokenRule = (rule: RuleName, params: Record<string, string | number> = {}): BrokenRule => ({
  rule,
  params,
  message: ruleTexts[rule].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
});

import type { Form } from '../form-frame';
import { instantOf, zonedOf } from '../zoned-time';

type Page = NonNullable<Form['page']>;

/** The settings of a form as fields have them. */
export interface SettingsDraft {
  name: string;
  description: string;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  answerCheck: Form['answerCheck'];
  dataListIds: readonly string[];
  retentionDays: string;
  submissionTokenExpiryHours: string;
  /** Times in the zone of the person. */
  opensAt: string;
  closesAt: string;
  maxSubmissions: string;
  slug: string;
  logo: string;
  accent: string;
  scheme: Page['scheme'];
  redirectTo: string;
  /** Hosts and origins, separated by spaces. */
  redirectHosts: string;
  frameAncestors: string;
}

const noPage: Page = {
  logo: null,
  accent: null,
  scheme: 'auto',
  frameAncestors: [],
  redirectTo: null,
  redirectHosts: [],
};

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));
const wordsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const draftIn =
  (zone: string) =>
  (form: Form): SettingsDraft => {
    const page = form.page ?? noPage;
    return {
      name: form.name,
      description: form.description ?? '',
      isEnabled: form.isEnabled,
      isPublic: form.isPublic,
      limitOnePerUser: form.limitOnePerUser,
      answerCheck: form.answerCheck,
      dataListIds: form.dataListIds,
      retentionDays: textOf(form.retentionDays),
      submissionTokenExpiryHours: textOf(form.submissionTokenExpiryHours),
      opensAt: zonedOf(form.opensAt ?? '', zone),
      closesAt: zonedOf(form.closesAt ?? '', zone),
      maxSubmissions: textOf(form.maxSubmissions),
      slug: form.slug ?? '',
      logo: page.logo ?? '',
      accent: page.accent ?? '',
      scheme: page.scheme,
      redirectTo: page.redirectTo ?? '',
      redirectHosts: page.redirectHosts.join(' '),
      frameAncestors: page.frameAncestors.join(' '),
    };
  };

/** The members that the API changes. */
export function changesOf(draft: SettingsDraft, form: Form, zone: string) {
  const { logo, accent, scheme, redirectTo, redirectHosts, frameAncestors, ...members } = draft;
  /** Minutes are written: a time with seconds that was not changed stays. */
  const instant = (text: string, before: string | null): string | null =>
    text === zonedOf(before ?? '', zone) ? before : instantOf(text, zone) || null;
  const page: Page = {
    logo: logo || null,
    accent: accent || null,
    scheme,
    frameAncestors: wordsIn(frameAncestors),
    redirectTo: redirectTo || null,
    redirectHosts: wordsIn(redirectHosts),
  };
  return {
    ...members,
    description: members.description || null,
    dataListIds: [...members.dataListIds],
    retentionDays: numberOf(members.retentionDays),
    submissionTokenExpiryHours: numberOf(members.submissionTokenExpiryHours),
    opensAt: instant(members.opensAt, form.opensAt),
    closesAt: instant(members.closesAt, form.closesAt),
    maxSubmissions: numberOf(members.maxSubmissions),
    slug: members.slug || null,
    page: JSON.stringify(page) === JSON.stringify(noPage) ? null : page,
  };
}

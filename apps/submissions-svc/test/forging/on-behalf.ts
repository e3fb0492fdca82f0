import { anonymously, refused, type Table } from './forgery';

const boss = { externalSubjectId: '4711', displayId: 'Boss' };

export const onBehalf: Table = (['/api', ''] as const).flatMap((prefix): Table => {
  const to = (form: string) => ({
    path: `${prefix}/forms/${form}/submissions/onbehalf`,
    body: { submitter: boss },
  });
  const at = `${prefix}/forms/…/onbehalf`;
  return [
    [`${at} without a token`, (_w, form) => ({ ...to(form), ...refused })],
    [`${at} without the permission`, (w, form) => ({ ...to(form), bearer: w.mallory(), status: 403 })],
    [`${at} as an editor`, (w, form) => ({ ...to(form), bearer: w.role('Editor'), status: 403 })],
    [`${at} as a viewer`, (w, form) => ({ ...to(form), bearer: w.role('Viewer'), status: 403 })],
    [
      `${at} with roles that are made up`,
      (w, form) => ({
        ...to(form),
        bearer: w.mallory({
          roles: ['Submissions.CreateOnBehalf', 'integration', 'ADMIN'],
          permissions: ['Submissions.CreateOnBehalf'],
          scope: 'Submissions.CreateOnBehalf',
        }),
        status: 403,
      }),
    ],
    [`${at} with a form-access token`, (w, form) => ({ ...to(form), bearer: w.formToken, ...refused })],
    [
      `${at} with a submission token`,
      (w, form) => ({ ...to(form), bearer: w.boss.submissionToken, ...refused }),
    ],
    [
      `${at} with a service-to-service token`,
      (w, form) => ({ ...to(form), bearer: w.serviceToken, ...refused }),
    ],
    [
      `${at} as an integration of another tenant`,
      (w, form) => ({ ...to(form), bearer: w.other.integration(), status: 404 }),
    ],
    [
      `${at} with submitterId`,
      (w, form) => ({
        ...to(form),
        bearer: w.role('Integration'),
        body: { submitterId: w.boss.submitterId },
        status: 400,
      }),
    ],
    [
      `${at} with a tenant in the payload`,
      (w, form) => ({
        ...to(form),
        bearer: w.role('Integration'),
        body: { submitter: { ...boss, tenantId: w.other.tenantId } },
        status: 400,
      }),
    ],
    [
      `${at} with an app user of another tenant`,
      (w, form) => ({
        ...to(form),
        bearer: w.role('Integration'),
        body: {
          submitter: { externalSubjectId: `crm${prefix}`, displayId: 'Crm', appUserId: w.other.appUserId },
        },
        status: 201,
        becomes: 'a new respondent',
      }),
    ],
    [
      `${at} without a submitter, as the integration`,
      (w, form) => ({ ...to(form), bearer: w.role('Integration'), body: {}, ...anonymously }),
    ],
  ];
});

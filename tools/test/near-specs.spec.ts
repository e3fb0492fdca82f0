import { nearSpecs } from './near-specs';

const specsOf = (project: string, ...names: string[]) =>
  names.map((name) => `${project}/test/${name}.spec.ts`);
const forms = specsOf('apps/submissions-svc', 'forms.api', 'form-versions.api', 'allowed-forms.api');
const others = specsOf(
  'apps/submissions-svc',
  'exports.api',
  'bulk.api',
  'erase.api',
  'stats.api',
  'quotas.api',
  'races.api',
  'search.api',
  'start.api',
);
const unit = 'apps/submissions-svc/src/exports/csv.spec.ts';
const related = [...forms, ...others, unit, ...specsOf('libs/postgres', 'pages')];

it('takes all spec files where they are few', () => {
  expect(nearSpecs(['apps/submissions-svc/src/forms/forms.sql.ts'], others)).toEqual(others);
});

it('takes those whose names share a word with the change, those beside the code, and those that changed', () => {
  const changed = ['apps/submissions-svc/src/forms/read-form.ts', others[0]!];
  expect(nearSpecs(changed, related)).toEqual([...forms, others[0], unit]);
});

it('takes all of a project where none has a word of the change', () => {
  const specs = [...forms, ...others, ...specsOf('apps/submissions-svc', 'views.api', 'held.api')];
  expect(nearSpecs(['apps/submissions-svc/src/pipeline/lease.ts'], specs)).toEqual(specs);
});

it('takes all of a library that changed, and none of the services that use it', () => {
  expect(nearSpecs(['libs/postgres/src/claim.ts'], related)).toEqual(specsOf('libs/postgres', 'pages'));
});

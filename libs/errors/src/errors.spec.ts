import { catalogue, fieldErrorLimit, notFound, Problem, validationProblem } from '.';

describe('catalogue', () => {
  it('has snake_case codes and client or server error statuses, never 422', () => {
    for (const [code, { status, title }] of Object.entries(catalogue)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).not.toBe(422);
      expect(title).toMatch(/\.$/);
    }
  });

  it('is sorted by status', () => {
    const statuses = Object.values(catalogue).map((entry) => entry.status);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
  });
});

describe('Problem', () => {
  it('takes status and title from the catalogue and the message from the detail', () => {
    const problem = new Problem('form_disabled', { detail: 'Form 7 is closed.', extra: { formId: '7' } });
    expect(problem).toMatchObject({
      status: 409,
      title: catalogue.form_disabled.title,
      extra: { formId: '7' },
    });
    expect(problem.message).toBe('Form 7 is closed.');
  });

  it('keeps its cause for the log', () => {
    const cause = new Error('socket closed');
    expect(new Problem('service_unavailable', { cause }).cause).toBe(cause);
  });

  it('reveals nothing about other tenants in a 404', () => {
    expect(notFound('form', '7').message).toBe('There is no form 7.');
  });
});

describe('validationProblem', () => {
  it('uses the rule as the message if one field is invalid', () => {
    expect(validationProblem({ name: ['must not be empty'] }).message).toBe('name must not be empty.');
    expect(validationProblem({ nam: ['is not known; did you mean "name"?'] }).message).toBe(
      'nam is not known; did you mean "name"?',
    );
  });

  it('lists fields up to the limit but counts all of them', () => {
    const errors = Object.fromEntries(
      Array.from({ length: fieldErrorLimit + 50 }, (_, index) => [`items[${index}]`, ['must be a string']]),
    );
    const problem = validationProblem(errors);
    expect(Object.keys(problem.errors ?? {})).toHaveLength(fieldErrorLimit);
    expect(problem.message).toBe('150 fields are not valid.');
  });
});

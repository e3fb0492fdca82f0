import Joi from 'joi';
import { Validation } from '../src';

const body = Joi.object({
  name: Joi.string().required(),
  revision: Joi.any().strip(),
  part: Joi.object().unknown(),
});

function check(value: unknown): unknown {
  const validation = new Validation();
  const checked = validation.check(body, value, 'body');
  validation.done();
  return checked;
}

it('ignores a member that is taken and ignored, whatever it holds', () => {
  for (const revision of ['a\u0000b', '\ud800', Infinity, { a: '\u0000' }, null, [[['\u0000']]]])
    expect(check({ name: 'n', revision })).toEqual({ name: 'n' });
});

it('still refuses in the others what cannot be stored', () => {
  for (const value of [
    { name: 'a\u0000b' },
    { name: 'n', part: { revision: '\u0000' } },
    { name: 'n', '\u0000': 1 },
  ])
    expect(() => check({ ...value, revision: '\u0000' })).toThrow();
});

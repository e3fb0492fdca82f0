import { confirmationOf, typable } from '../src/signed-in/typable';

describe('what is typed to confirm', () => {
  it('leaves out what cannot be typed, in the name and in what was typed', () => {
    expect(typable('Ada\u202e  Love\u200blace\n')).toBe('Ada Lovelace');
    expect(typable('A\u0308nne')).toBe(typable('\u00c4nne'));
  });

  it('is the id if nothing of the name can be typed', () => {
    expect(confirmationOf('\u202e\u200b ', '42')).toBe('42');
    expect(confirmationOf('Ada', '42')).toBe('Ada');
  });
});

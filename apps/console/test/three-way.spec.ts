import { differing, merged, sideOf, type Member } from '../src/signed-in/three-way';

interface Draft {
  name: string;
  days: string;
  note: string;
}

const member = (name: keyof Draft): Member<Draft> => ({
  name,
  text: (draft) => draft[name],
  take: (into, from) => ({ ...into, [name]: from[name] }),
});
const members = [member('name'), member('days'), member('note')];
const base = { name: 'a', days: '1', note: 'x' };
const three = { base, mine: { ...base, name: 'b', note: 'y' }, theirs: { ...base, name: 'c', days: '2' } };

describe('two changes that met', () => {
  it('differ where either changed something', () => {
    expect(differing(members, three).map(({ name }) => name)).toEqual(['name', 'days', 'note']);
    const same = { ...base, name: 'b' };
    expect(differing(members, { base, mine: same, theirs: same })).toEqual([]);
  });

  it('need a choice only where both changed the same', () => {
    expect(members.map((own) => sideOf(own, three))).toEqual([null, 'theirs', 'mine']);
  });

  it('become the draft that was chosen', () => {
    expect(merged(members, three, { name: 'theirs' })).toEqual({ name: 'c', days: '2', note: 'y' });
    expect(merged(members, three, { name: 'mine', days: 'mine', note: 'theirs' })).toEqual({
      name: 'b',
      days: '1',
      note: 'x',
    });
  });
});

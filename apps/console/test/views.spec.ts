import { queryOf } from '../src/signed-in/views/view-settings';

describe('the query of a saved view', () => {
  it('has filters and order in one notation, and no place in the list', () => {
    const search = new URLSearchParams('view=7&status=new&row=5&after=x&from=a');
    expect(queryOf(search)).toBe('from=a&status=new');
  });

  it('keeps the order of filters with one name', () => {
    expect(queryOf(new URLSearchParams('where=b&where=a'))).toBe('where=b&where=a');
  });
});

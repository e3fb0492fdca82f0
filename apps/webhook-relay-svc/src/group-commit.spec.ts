import { DatabaseError } from 'pg';
import { groupCommit } from './group-commit';

/** Writes when told to, and remembers each group. */
function writer() {
  const groups: (readonly string[])[] = [];
  const open: (() => void)[] = [];
  const write = async (take: () => readonly string[]) => {
    await new Promise<void>((resolve) => open.push(resolve));
    const items = take();
    groups.push(items);
    return items.map((item) => item.toUpperCase());
  };
  const next = async () => {
    while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
    open.shift()!();
  };
  return { groups, write, next };
}

const statementFailed = (code = '22003') => {
  const error = new DatabaseError('it failed', 0, 'error');
  error.code = code;
  return error;
};

it('writes all items that arrive before a write starts together, and returns each result', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit(10, write);
  const first = [add('a'), add('b')];
  await new Promise((resolve) => setImmediate(resolve));
  const late = add('c');
  await next();
  expect(await Promise.all([...first, late])).toEqual(['A', 'B', 'C']);
  const after = add('d');
  await next();
  expect(await after).toBe('D');
  expect(groups).toEqual([['a', 'b', 'c'], ['d']]);
});

it('writes at most the maximum per group, in order', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit(2, write);
  const all = Promise.all(['a', 'b', 'c'].map(add));
  await next();
  await next();
  expect(await all).toEqual(['A', 'B', 'C']);
  expect(groups).toEqual([['a', 'b'], ['c']]);
});

it('writes each item alone if the statement fails, so that only the faulty item fails', async () => {
  const groups: (readonly string[])[] = [];
  const add = groupCommit<string, string>(10, async (take) => {
    const items = take();
    groups.push([...items]);
    if (items.includes('bad')) throw statementFailed();
    return items;
  });
  const results = await Promise.allSettled(['a', 'bad', 'b'].map(add));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

it('writes the group again after a deadlock', async () => {
  const groups: string[] = [];
  const add = groupCommit<string, string>(10, async (take) => {
    groups.push(take().join());
    if (groups.length === 1) throw statementFailed('40P01');
    return take();
  });
  expect(await Promise.all(['a', 'b'].map(add))).toEqual(['a', 'b']);
  expect(groups).toEqual(['a,b', 'a,b']);
});

it('fails all items if the connection is lost, and works again afterwards', async () => {
  let down = true;
  const add = groupCommit<string, string>(10, async (take) => {
    if (down) throw new Error('Connection terminated unexpectedly');
    return take();
  });
  const failed = await Promise.allSettled(['a', 'b'].map(add));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  down = false;
  expect(await add('c')).toBe('c');
});

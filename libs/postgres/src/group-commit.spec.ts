import { DatabaseError } from 'pg';
import { groupCommit } from './group-commit';

/** Writes when `next` is called, and remembers each group. */
function writer() {
  const groups: (readonly string[])[] = [];
  const open: (() => void)[] = [];
  const write = async (items: readonly string[]) => {
    groups.push(items);
    await new Promise<void>((resolve) => open.push(resolve));
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

it('writes together what arrives during a write, and gives each its own result', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit({ items: 10 }, write);
  const first = [add('a'), add('b')];
  await new Promise((resolve) => setImmediate(resolve));
  const late = [add('c'), add('d')];
  await next();
  expect(await Promise.all(first)).toEqual(['A', 'B']);
  await next();
  expect(await Promise.all(late)).toEqual(['C', 'D']);
  expect(groups).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

it('takes no more items at once than it may, in their order', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit({ items: 2 }, write);
  const all = Promise.all(['a', 'b', 'c'].map(add));
  await next();
  await next();
  expect(await all).toEqual(['A', 'B', 'C']);
  expect(groups).toEqual([['a', 'b'], ['c']]);
});

it('waits for further items, but not when the group is full', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit({ items: 2, waitMs: 60_000 }, write);
  const first = add('a');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(groups).toEqual([]);
  const second = add('b');
  await next();
  expect(await Promise.all([first, second])).toEqual(['A', 'B']);
  expect(groups).toEqual([['a', 'b']]);
});

it('waits no longer with enough items, and takes all that are there', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit({ items: 10, waitMs: 60_000, enough: 2 }, write);
  const all = Promise.all(['a', 'b', 'c'].map(add));
  await next();
  expect(await all).toEqual(['A', 'B', 'C']);
  expect(groups).toEqual([['a', 'b', 'c']]);
});

it('writes a group that is not full after its time', async () => {
  const { groups, write, next } = writer();
  const add = groupCommit({ items: 2, waitMs: 20 }, write);
  const only = add('a');
  await next();
  expect(await only).toBe('A');
  expect(groups).toEqual([['a']]);
});

it('takes no more bytes at once than it may; a larger item is alone', async () => {
  const groups: (readonly string[])[] = [];
  const write = (items: readonly string[]) => {
    groups.push(items);
    return Promise.resolve(items);
  };
  const add = groupCommit({ items: 10, bytes: 4, bytesOf: (item: string) => item.length }, write);
  await Promise.all(['aa', 'bb', 'c', 'dddddd', 'e'].map(add));
  expect(groups).toEqual([['aa', 'bb'], ['c'], ['dddddd'], ['e']]);
});

it('writes each alone when the statement fails, so that only the bad one fails', async () => {
  const groups: (readonly string[])[] = [];
  const add = groupCommit<string, string>({ items: 10 }, (items) => {
    groups.push([...items]);
    return items.includes('bad') ? Promise.reject(statementFailed()) : Promise.resolve(items);
  });
  const results = await Promise.allSettled(['a', 'bad', 'b'].map(add));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

it('writes the group again after a deadlock', async () => {
  const groups: string[] = [];
  const add = groupCommit<string, string>({ items: 10 }, (items) => {
    groups.push(items.join());
    return groups.length === 1 ? Promise.reject(statementFailed('40P01')) : Promise.resolve(items);
  });
  expect(await Promise.all(['a', 'b'].map(add))).toEqual(['a', 'b']);
  expect(groups).toEqual(['a,b', 'a,b']);
});

it('fails all items if the connection is lost, and works again afterwards', async () => {
  let down = true;
  const add = groupCommit<string, string>({ items: 10 }, (items) =>
    down ? Promise.reject(new Error('Connection terminated unexpectedly')) : Promise.resolve(items),
  );
  const failed = await Promise.allSettled(['a', 'b'].map(add));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  down = false;
  expect(await add('c')).toBe('c');
});

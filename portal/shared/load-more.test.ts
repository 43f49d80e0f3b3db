import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { loadMore } from './load-more.ts';

const KEY = ['rows'];
// Answers come in the same millisecond here: each has a time of its own.
let now = 1_800_000_000_000;
mock.method(Date, 'now', () => (now += 1));

/** A list of three pages; `beforeAnswer` is called when a page is on its way. */
function startList(beforeAnswer: (page: number) => void | Promise<void>) {
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    initialPageParam: 0,
    queryFn: async ({ pageParam }) => {
      await beforeAnswer(pageParam);
      return { page: pageParam };
    },
    getNextPageParam: ({ page }: { page: number }) => (page < 2 ? page + 1 : undefined),
    retry: false,
  });
  const stop = observer.subscribe(() => undefined);
  return { client, list: () => observer.getCurrentResult(), stop };
}
const pagesOf = (data: { pages: { page: number }[] } | undefined) => data?.pages.map(({ page }) => page);

test('the next page is there although a change made the list be read again meanwhile', async () => {
  let changes = 1;
  const { client, list, stop } = startList((page) => {
    if (page === 1 && changes-- > 0) void client.invalidateQueries({ queryKey: KEY });
  });
  await client.refetchQueries({ queryKey: KEY });
  assert.deepEqual(pagesOf(list().data), [0]);
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0, 1]);
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0, 1, 2]);
  stop();
});

test('a list that never stops changing, one that fails and one at its end are not asked for ever', async () => {
  let asked = 0;
  const { client, list, stop } = startList((page) => {
    if (page !== 1) return;
    asked += 1;
    if (asked <= 3) void client.invalidateQueries({ queryKey: KEY });
    else if (asked === 4) throw new Error('refused');
  });
  await client.refetchQueries({ queryKey: KEY });
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0]);
  assert.equal(asked, 3);
  assert.equal((await loadMore(list())).isError, true);
  assert.equal(asked, 4);
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0, 1]);
  await loadMore(list());
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0, 1, 2]);
  stop();
});

test('pages without rows are passed over, but not for ever', async () => {
  const client = new QueryClient();
  const rowsOn = (page: number): number[] => (page === 3 ? [1] : []);
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['searched'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => ({ page: pageParam, data: rowsOn(pageParam) }),
    getNextPageParam: ({ page }: { page: number }) => page + 1,
  });
  const stop = observer.subscribe(() => undefined);
  await client.refetchQueries({ queryKey: ['searched'] });
  assert.deepEqual(pagesOf((await loadMore(observer.getCurrentResult())).data), [0, 1, 2, 3]);
  assert.equal(pagesOf((await loadMore(observer.getCurrentResult())).data)?.length, 9);
  stop();
});

test('a page whose reader has left is not asked for again', async () => {
  let asked = 0;
  let leave = (): void => undefined;
  const { client, list, stop } = startList((page) => {
    if (page !== 1) return undefined;
    asked += 1;
    leave();
    // As a request does that is given up with its signal.
    return new Promise<void>(() => undefined);
  });
  await client.refetchQueries({ queryKey: KEY });
  leave = () => void client.cancelQueries({ queryKey: KEY });
  assert.deepEqual(pagesOf((await loadMore(list())).data), [0]);
  assert.equal(asked, 1);
  stop();
});

test('rows that changed while a page was asked for are read before it', async () => {
  let changes = 1;
  let reads = 0;
  const { client, list, stop } = startList((page) => {
    if (page === 0) reads += 1;
    if (page === 1 && changes-- > 0) void client.invalidateQueries({ queryKey: KEY });
  });
  await client.refetchQueries({ queryKey: KEY });
  const before = reads;
  await loadMore(list());
  assert.equal(reads, before + 1);
  stop();
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** Observes a query; the test resolves each of its fetches. */
function observe(queryKey: readonly string[]) {
  const fetches: PromiseWithResolvers<string>[] = [];
  const waiting: (() => void)[] = [];
  const observer = new QueryObserver<string>(queryClient, {
    queryKey,
    queryFn: () => {
      const fetching = Promise.withResolvers<string>();
      fetches.push(fetching);
      for (const resolve of waiting.splice(0)) resolve();
      return fetching.promise;
    },
  });
  const leave = observer.subscribe(() => undefined);
  const nth = async (n: number): Promise<PromiseWithResolvers<string>> => {
    for (;;) {
      const fetching = fetches[n];
      if (fetching) return fetching;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const shows = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (observer.getCurrentResult().data === text && !observer.getCurrentResult().isFetching) resolve();
      };
      observer.subscribe(check);
      check();
    });
  return { fetches, nth, shows, leave };
}

describe('the response of a save', () => {
  after(() => queryClient.clear());

  it('is not overwritten by a fetch that started before it', async () => {
    const { nth, shows, leave } = observe(['switch']);
    (await nth(0)).resolve('off');
    await shows('off');
    void queryClient.invalidateQueries({ queryKey: ['switch'] });
    const older = await nth(1);
    queryClient.setQueryData(['switch'], 'on');
    older.resolve('off');
    (await nth(2)).resolve('on');
    await shows('on');
    leave();
  });

  it('causes no fetch when none was in progress', async () => {
    const { fetches, nth, shows, leave } = observe(['calm']);
    (await nth(0)).resolve('off');
    await shows('off');
    queryClient.setQueryData(['calm'], 'on');
    await shows('on');
    assert.equal(fetches.length, 1);
    leave();
  });
});

describe('an invalidation during the first fetch', () => {
  after(() => queryClient.clear());

  it('causes exactly one more fetch, because the first one may have started before the change', async () => {
    const { fetches, nth, shows, leave } = observe(['board']);
    const first = await nth(0);
    void queryClient.invalidateQueries({ queryKey: ['board'] });
    void queryClient.invalidateQueries({ queryKey: ['board'] });
    first.resolve('before the change');
    (await nth(1)).resolve('after the change');
    await shows('after the change');
    assert.equal(fetches.length, 2);
    leave();
  });
});

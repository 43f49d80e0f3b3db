import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** A query that somebody looks at; each of its readings is answered by the test. */
function looked(queryKey: readonly string[]) {
  const readings: PromiseWithResolvers<string>[] = [];
  const waiting: (() => void)[] = [];
  const observer = new QueryObserver<string>(queryClient, {
    queryKey,
    queryFn: () => {
      const reading = Promise.withResolvers<string>();
      readings.push(reading);
      for (const tell of waiting.splice(0)) tell();
      return reading.promise;
    },
  });
  const leave = observer.subscribe(() => undefined);
  const nth = async (n: number): Promise<PromiseWithResolvers<string>> => {
    for (;;) {
      const reading = readings[n];
      if (reading) return reading;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const shows = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (observer.getCurrentResult().data === text && !observer.getCurrentResult().isFetching) resolve();
      };
      observer.subscribe(look);
      look();
    });
  return { readings, nth, shows, leave };
}

describe('what a save answered', () => {
  after(() => queryClient.clear());

  it('is not taken back by a reading that began before it', async () => {
    const { nth, shows, leave } = looked(['switch']);
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

  it('is not read again when nothing was being read', async () => {
    const { readings, nth, shows, leave } = looked(['calm']);
    (await nth(0)).resolve('off');
    await shows('off');
    queryClient.setQueryData(['calm'], 'on');
    await shows('on');
    assert.equal(readings.length, 1);
    leave();
  });
});

describe('what is asked for anew while it is read for the first time', () => {
  after(() => queryClient.clear());

  it('is read once more and no oftener, since that reading may have begun before the news', async () => {
    const { readings, nth, shows, leave } = looked(['board']);
    const first = await nth(0);
    void queryClient.invalidateQueries({ queryKey: ['board'] });
    void queryClient.invalidateQueries({ queryKey: ['board'] });
    first.resolve('without the news');
    (await nth(1)).resolve('with the news');
    await shows('with the news');
    assert.equal(readings.length, 2);
    leave();
  });
});

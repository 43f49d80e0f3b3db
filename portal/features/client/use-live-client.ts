import { useMemo } from 'react';
import { useLive } from '../../app/use-live.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Refetches the page's data on live events, at most every five seconds. */
export function useLiveClient(): void {
  const refresh = useMemo(() => throttle(() => void refreshAfter('clientRunReported'), 5000), []);
  useLive({ path: '/executions/stream', onEvent: refresh, onCatchUp: refresh, continues: keys.client.live });
}

import { useMemo } from 'react';
import { useLive } from '../../lib/live.ts';
import { throttle } from '../../lib/throttle.ts';
import { refreshClient } from './queries.ts';

/** Loads what is shown again when something happened, at most every five seconds. */
export function useLiveClient(): void {
  const refresh = useMemo(() => throttle(refreshClient, 5000), []);
  useLive({ path: '/executions/stream', onEvent: refresh, onCatchUp: refresh });
}

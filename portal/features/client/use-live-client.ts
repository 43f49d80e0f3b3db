import { useMemo } from 'react';
import { useLive } from '../../app/use-live.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Loads what is shown again when something happened, at most every five seconds; nothing while there is nothing to show. */
export function useLiveClient(isShown = true): void {
  const refresh = useMemo(() => throttle(() => void refreshAfter('clientRunReported'), 5000), []);
  useLive({ path: isShown ? '/executions/stream' : undefined, onEvent: refresh, onCatchUp: refresh });
}

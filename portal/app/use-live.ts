import { useEffect, useRef, useState } from 'react';
import type { LiveState } from '../ui/feedback/live-dot.tsx';
import type { StreamEvent } from './event-stream.ts';
import { type Continues, follow } from './live-connection.ts';

type Live = {
  /** The stream's address, or undefined while there is nothing to follow. */
  path: string | undefined;
  onEvent: (event: StreamEvent) => void;
  /** Called when a stream opens that does not continue or begin whole, a minute after one that continues, after each reconnect, and every `pollMs` while disconnected. */
  onCatchUp: () => void;
  /** What the page has read, for a stream whose event ids are times: it continues from there, and nothing is read again when it opens. */
  continues?: Continues;
  /** The stream starts with the complete state, or with everything since its last event, so opening it needs no catch-up. */
  beginsWhole?: boolean;
  pollMs?: number;
};

/** Follows an event stream while the component is mounted. */
export function useLive({ path, onEvent, onCatchUp, continues, beginsWhole = false, pollMs = 15_000 }: Live): LiveState {
  const [state, setState] = useState<LiveState>(navigator.onLine ? 'connecting' : 'reconnecting');
  const handlers = useRef({ onEvent, onCatchUp, continues });
  handlers.current = { onEvent, onCatchUp, continues };

  useEffect(() => {
    if (!path) return;
    return follow({
      path,
      onEvent: (event) => handlers.current.onEvent(event),
      onCatchUp: () => handlers.current.onCatchUp(),
      onState: setState,
      continues: () => handlers.current.continues,
      beginsWhole,
      pollMs,
    });
  }, [path, pollMs, beginsWhole]);

  return state;
}

import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { createWaker, type Notices } from '#platform/notify.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { createEventDispatcher } from './dispatcher.ts';
import type { Reaction } from './reaction.ts';
import { countDueEvents } from './store.ts';
import { eventsWait } from './topic.ts';

export { publishEvent } from './publish-event.ts';
export type { DomainEvent, Reaction } from './reaction.ts';

export type EventsDeps = { db: Database; notices: Notices; log: Log; reactions: readonly Reaction[]; tracer?: Tracer | undefined };

/** Domain events and their reactions. */
export function events(deps: EventsDeps) {
  const dispatcher = createEventDispatcher(deps);
  const waker = createWaker(deps, eventsWait, () => (dispatcher.isActive() ? dispatcher.wake : undefined));
  let unsubscribe: (() => void) | undefined;
  return {
    /** Starts processing. Processes that only serve HTTP never call it; they notify the others. */
    start(): void {
      unsubscribe = deps.notices.subscribe(eventsWait, dispatcher.wake, dispatcher.wake);
      dispatcher.start();
    },
    /** Lets the current batch finish. */
    async stop(): Promise<void> {
      unsubscribe?.();
      waker.close();
      await dispatcher.stop();
    },
    runOnce: () => dispatcher.runOnce(),
    /** Counts events whose reactions have not run. */
    waiting: () => deps.db.asSystem('events', countDueEvents),
  };
}

export type Events = ReturnType<typeof events>;

import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import type { DomainEvent, Reaction } from './reaction.ts';
import { hasDueEvents, listDueEvents, postponeEvent, takeDueEvents, takeEvent } from './store.ts';

export type EventDispatcher = {
  start(): void;
  wake(): void;
  isActive(): boolean;
  /** Lets the batch under way finish. */
  stop(): Promise<void>;
  /** One batch at once, to its end. Answers how many events had their reactions. */
  runOnce(): Promise<number>;
};

const BATCH = 200;
const POLL_MS = 1_000;

/**
 * Runs the reactions of due events: one transaction takes a batch off the list and writes everything that follows from it, so a process
 * that dies at any moment has done either all or nothing. Several processes share the list by skipping each other's locks.
 *
 * A batch that fails may hold one event that spoils it: each is then tried alone, and what fails alone waits longer each time while
 * everything else goes on.
 */
export function createEventDispatcher(deps: { db: Database; log: Log; reactions: readonly Reaction[] }): EventDispatcher {
  const { db, log, reactions } = deps;
  let active = false;
  let running: Promise<void> | undefined;
  let again = false;
  let poll: NodeJS.Timeout | undefined;

  const react = async (take: (tx: SystemTx) => Promise<readonly DomainEvent[]>): Promise<number> => {
    const ran = new Set<Reaction>();
    const count = await db.asSystem('events', async (tx) => {
      const events = await take(tx);
      for (const reaction of reactions) {
        const { types } = reaction;
        const concerned = types ? events.filter((event) => types.includes(event.type)) : events;
        if (concerned.length === 0) continue;
        await reaction.run(tx, concerned);
        ran.add(reaction);
      }
      return events.length;
    });
    for (const reaction of ran) reaction.committed?.();
    return count;
  };
  const reactAlone = async (id: string): Promise<number> => {
    try {
      return await react(async (tx) => {
        const event = await takeEvent(tx, id);
        return event ? [event] : [];
      });
    } catch (error) {
      // When the database itself is away this fails too, ends the round, and nothing was held against the event.
      const failures = await db.asSystem('events', (tx) => postponeEvent(tx, id));
      log.error({ err: error, eventId: id, failures }, 'reactions to an event failed');
      return 0;
    }
  };
  const runOnce = async (): Promise<number> => {
    try {
      return await react((tx) => takeDueEvents(tx, BATCH));
    } catch (error) {
      const ids = await db.asSystem('events', (tx) => listDueEvents(tx, BATCH));
      log.warn({ err: error, events: ids.length }, 'a batch of events failed: trying each alone');
      let done = 0;
      for (const id of ids) done += await reactAlone(id);
      return done;
    }
  };
  /** One batch at a time; a wake-up meanwhile means one more. */
  const pump = (): void => {
    if (!active) return;
    if (running) {
      again = true;
      return;
    }
    again = false;
    running = runOnce()
      .then((count) => {
        if (count === BATCH) again = true;
      })
      .catch((error: unknown) => log.warn({ err: error }, 'due events could not be looked at'))
      .finally(() => {
        running = undefined;
        if (again) setImmediate(pump);
      });
  };
  const look = (): void => {
    hasDueEvents(db).then(
      (isDue) => isDue && pump(),
      (error: unknown) => log.warn({ err: error }, 'due events could not be looked for'),
    );
  };
  return {
    start() {
      active = true;
      poll = setInterval(look, POLL_MS);
      pump();
    },
    wake: pump,
    isActive: () => active,
    async stop() {
      active = false;
      clearInterval(poll);
      await running;
    },
    runOnce,
  };
}

import { parseTraceparent } from '@partner-portal/core/tracing/trace-context.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import { createPump } from '#platform/jobs/pump.ts';
import type { Log } from '#platform/log.ts';
import type { Span, Tracer } from '#platform/tracing/tracer.ts';
import type { DomainEvent, Reaction } from './reaction.ts';
import { hasDueEvents, listDueEvents, postponeEvent, takeDueEvents, takeEvent } from './store.ts';

export type EventDispatcher = {
  start(): void;
  wake(): void;
  isActive(): boolean;
  /** Lets the current batch finish. */
  stop(): Promise<void>;
  /** Runs one batch. Returns how many events were processed. */
  runOnce(): Promise<number>;
};

const BATCH = 200;
const POLL_MS = 1_000;

/**
 * Runs the reactions of due events. One transaction takes a batch and writes all consequences, so a crash leaves all or nothing. Processes
 * share the list by skipping locked rows. When a batch fails, each event is retried alone; one that fails alone backs off while the others
 * proceed.
 */
export function createEventDispatcher(deps: {
  db: Database;
  log: Log;
  reactions: readonly Reaction[];
  tracer?: Tracer | undefined;
}): EventDispatcher {
  const { db, log, reactions, tracer } = deps;
  const react = async (take: (tx: SystemTx) => Promise<readonly DomainEvent[]>): Promise<number> => {
    const ran = new Set<Reaction>();
    const traced: { event: DomainEvent; span: Span }[] = [];
    const count = await db.asSystem('events', async (tx) => {
      const taken = await take(tx);
      const events = tracer === undefined ? taken : taken.map((event) => beginSpan(tracer, event, traced));
      for (const reaction of reactions) {
        const { types } = reaction;
        const matching = types ? events.filter((event) => types.includes(event.type)) : events;
        if (matching.length === 0) continue;
        await reaction.run(tx, matching);
        ran.add(reaction);
      }
      return events.length;
    });
    for (const reaction of ran) reaction.committed?.();
    for (const { event, span } of traced)
      span.end({
        name: `react to ${event.type}`,
        attributes: { 'portal.event.id': event.id, 'portal.event.type': event.type, 'portal.agency.id': event.partnerId },
      });
    return count;
  };
  const reactAlone = async (id: string): Promise<number> => {
    try {
      return await react(async (tx) => {
        const event = await takeEvent(tx, id);
        return event ? [event] : [];
      });
    } catch (error) {
      // If the database is down this fails too, ends the round and does not count against the event.
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
      log.warn({ err: error, events: ids.length }, 'batch of events failed, retrying each alone');
      let done = 0;
      for (const id of ids) done += await reactAlone(id);
      return done;
    }
  };
  const pump = createPump({
    round: async () => (await runOnce()) === BATCH,
    pollMs: POLL_MS,
    isDue: () => hasDueEvents(db),
    log,
    what: 'reactions to events',
  });
  return { start: pump.start, wake: pump.wake, isActive: pump.isActive, stop: pump.stop, runOnce };
}

/** Begins the span of the reactions to an event that was caused within a trace. Their consequences belong below it. */
function beginSpan(tracer: Tracer, event: DomainEvent, traced: { event: DomainEvent; span: Span }[]): DomainEvent {
  const span = tracer.start({ parent: parseTraceparent(event.traceparent) });
  if (span === undefined) return event;
  traced.push({ event, span });
  return { ...event, traceparent: span.traceparent };
}

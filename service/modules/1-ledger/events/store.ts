import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';
import type { DomainEvent } from './reaction.ts';

export async function insertEvent(
  tx: Tx,
  event: { id: string; partnerId: string; clientId: string | null; type: string; data: string; traceparent: string | null },
): Promise<{ id: string; createdAt: Date }> {
  const [row] = await runStatement<'insert_event', { id: string; createdAt: Date }>(tx, {
    name: 'insert_event',
    text: `insert into event (id, partner_id, client_id, type, data, traceparent, due_at) values ($1, $2, $3, $4, $5::jsonb, $6, now()) returning id, created_at`,
    values: [event.id, event.partnerId, event.clientId, event.type, event.data, event.traceparent],
  });
  // An account that is being removed has no events any more.
  return row ?? { id: event.id, createdAt: new Date() };
}

// As in the function take_due_events.
const DUE = `due_at <= now() + interval '1 millisecond'`;
const TAKEN = 'e.id, e.partner_id, e.client_id, e.type, e.created_at, e.data, e.traceparent';

/** Takes due events, oldest first, skipping those of other processes. A rollback returns them. */
export async function takeDueEvents(tx: SystemTx, batch: number): Promise<DomainEvent[]> {
  const events = await runStatement<'take_due_events', DomainEvent>(tx, {
    name: 'take_due_events',
    text: `select ${TAKEN} from take_due_events($1) e`,
    values: [batch],
  });
  return events.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** One statement without a transaction, for polling. */
export async function hasDueEvents(db: Database): Promise<boolean> {
  const [row] = await db.call<'has_due_events', { due: boolean }>({ name: 'has_due_events', text: 'select has_due_events() as due' });
  return row?.due ?? false;
}

/** Returns the ids a batch would take, without taking them. */
export async function listDueEvents(tx: SystemTx, batch: number): Promise<string[]> {
  const rows = await runStatement<'list_due_events', { id: string }>(tx, {
    name: 'list_due_events',
    text: `select id from event where ${DUE} order by due_at limit $1`,
    values: [batch],
  });
  return rows.map((row) => row.id);
}

/** Takes one event unless another process holds it. */
export async function takeEvent(tx: SystemTx, id: string): Promise<DomainEvent | undefined> {
  const [event] = await runStatement<'take_event', DomainEvent>(tx, {
    name: 'take_event',
    text: `with due as (select id from event where id = $1 and ${DUE} for update skip locked)
      update event e set due_at = null from due where e.id = due.id returning ${TAKEN}`,
    values: [id],
  });
  return event;
}

/** Postpones an event whose reactions failed: 1, 2, 4 s … ten minutes. Returns how often they failed. */
export async function postponeEvent(tx: SystemTx, id: string): Promise<number> {
  const [row] = await runStatement<'postpone_event', { reactionFailures: number }>(tx, {
    name: 'postpone_event',
    text: `update event set reaction_failures = reaction_failures + 1, due_at = now() + make_interval(secs => least(600, power(2, least(reaction_failures, 10))))
      where id = $1 and due_at is not null returning reaction_failures`,
    values: [id],
  });
  return row?.reactionFailures ?? 0;
}

/** Counts events whose reactions have not run. */
export async function countDueEvents(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'events_count_due_events', { waiting: number }>(tx, {
    name: 'events_count_due_events',
    prepare: false,
    text: 'select count(*) as waiting from event where due_at is not null',
  });
  return row?.waiting ?? 0;
}

import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Something that happened, as its reactions see it. */
export type DomainEvent = {
  id: string;
  partnerId: string;
  clientId: string | null;
  type: EventType;
  createdAt: Date;
  data: Record<string, unknown>;
};

/**
 * What follows from events. `run` writes rows in the one transaction that takes the events off the list, so all consequences of an event
 * commit together, exactly once; it may be called again with events whose transaction was rolled back. No network in it.
 */
export type Reaction = {
  name: string;
  /** Left out: all types. Without a matching event it is not called. */
  types?: readonly EventType[];
  run(tx: SystemTx, events: readonly DomainEvent[]): Promise<void>;
  /** Called once the transaction has committed, if `run` took part. */
  committed?(): void;
};

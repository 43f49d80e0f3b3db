import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** A stored domain event. */
export type DomainEvent = {
  id: string;
  partnerId: string;
  clientId: string | null;
  type: EventType;
  createdAt: Date;
  data: Record<string, unknown>;
  /** Header `traceparent` of the span that its consequences belong below; null where none is recorded. */
  traceparent: string | null;
};

/**
 * A reaction to events. `run` writes rows in the transaction that takes the events, so all consequences commit together, exactly once; it
 * may be called again for events whose transaction was rolled back. No network calls.
 */
export type Reaction = {
  name: string;
  /** All types when omitted. Not called without a matching event. */
  types?: readonly EventType[];
  run(tx: SystemTx, events: readonly DomainEvent[]): Promise<void>;
  /** Called after the commit, if `run` took part. */
  committed?(): void;
};

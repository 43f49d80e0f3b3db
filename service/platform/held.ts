/**
 * What a process counts while it holds it: each kind is a gauge of the metrics port and zero when nothing is under way. One owner acquires
 * an amount with `hold` and releases it by construct (`using`, `finally`), so that no way to end leaves it counted.
 */
export const HELD = {
  body_bytes_anonymous: 'Bytes of request bodies on their way from callers who proved nothing.',
  body_bytes_tenant: 'Bytes of request bodies on their way from sessions and proven addresses.',
  body_bytes_system: 'Bytes of request bodies on their way from callbacks that are proven.',
  queued_bytes: 'Bytes of events and reports that wait to be stored.',
  turns: 'Work that runs in one of the fair turns: calls of other systems, files, chats.',
  turns_waiting: 'Work that waits for one of the fair turns.',
  turn_bytes: 'Bytes of work in the fair turns, running or waiting.',
  slots: 'Work that runs in a slot of its key.',
  slots_waiting: 'Work that waits for a slot of its key.',
  threads: 'Tasks that run in a thread or wait for one.',
  streams: 'Event streams that are open.',
  stream_followers: 'Readers of changes behind event streams.',
  jobs: 'Jobs of the queue that this process has leased and runs.',
  claims: 'Dispatches, deliveries and other rows that this process has claimed and works on.',
} as const;
export type HeldKind = keyof typeof HELD;
export const HELD_KINDS = Object.keys(HELD) as HeldKind[]; // the keys of the object above

/** An amount that is held until it is disposed of. Doing so twice changes nothing. */
export type Hold = Disposable & {
  /** Holds more; nothing once it was disposed of. */
  add(amount: number): void;
};

const held = Object.fromEntries(HELD_KINDS.map((kind) => [kind, 0])) as Record<HeldKind, number>; // one entry per kind

export function hold(kind: HeldKind, amount = 1): Hold {
  let own: number | null = amount;
  held[kind] += amount;
  return {
    add(more) {
      if (own === null) return;
      own += more;
      held[kind] += more;
    },
    [Symbol.dispose]() {
      held[kind] -= own ?? 0;
      own = null;
    },
  };
}

/** Returns how much of a kind the process holds now. */
export function heldNow(kind: HeldKind): number {
  return held[kind];
}

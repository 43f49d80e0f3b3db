import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { sendNotices } from '#platform/notify.ts';

type Notice = { channel: string; conversationId: string; payload: object };

/** Notices of one statement wait this long for each other. */
const GATHER_MS = 20;
/** Notices beyond these are dropped: a reader asks for what it lacks, and the whole message follows. */
const WAITING_MAX = 2_000;
const AT_ONCE = 100;

/** Sends notices in their order: those of some milliseconds together, one statement at a time. Parts of one reply in a row become one. */
export function createOutbox({ db, log }: { db: Database; log: Log }) {
  let waiting: Notice[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const sendSome = async (): Promise<void> => {
    const some = waiting.splice(0, AT_ONCE);
    try {
      await sendNotices(
        db,
        some.map(({ channel, payload }) => ({ channel, payload: JSON.stringify(payload) })),
      );
    } catch (error) {
      log.warn({ err: error, notices: some.length }, 'live notices of conversations not sent');
    }
  };
  const flush = (): void => {
    timer = undefined;
    if (sending) return;
    const all = async (): Promise<void> => {
      while (waiting.length > 0) await sendSome();
    };
    sending = all().finally(() => {
      sending = undefined;
      if (waiting.length > 0) timer ??= setTimeout(flush, GATHER_MS);
    });
  };
  return {
    push(channel: string, conversationId: string, payload: object): void {
      if (waiting.length >= WAITING_MAX) return;
      const last = waiting.at(-1);
      const joined = last?.channel === channel && last.conversationId === conversationId ? join(last.payload, payload) : null;
      if (last && joined) last.payload = joined;
      else waiting.push({ channel, conversationId, payload });
      timer ??= setTimeout(flush, GATHER_MS);
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      flush();
      await sending;
      waiting = [];
    },
  };
}

/** Characters of a joined part; its JSON stays below the 8000 bytes of a notice. */
const JOINED_MAX = 1_000;

function join(one: object, next: object): object | null {
  if (!isPart(one) || !isPart(next) || one.turnId !== next.turnId || one.start + one.text.length !== next.start) return null;
  return one.text.length + next.text.length > JOINED_MAX ? null : { ...one, text: one.text + next.text };
}

function isPart(value: object): value is { turnId: string; start: number; text: string } {
  return 'text' in value && 'start' in value;
}

import type { Database } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { createOutbox } from './outbox.ts';
import {
  conversationChanged,
  conversationDelta,
  type ConversationDelta,
  conversationTyping,
  type ConversationTyping,
  deltaWanted,
} from './topics.ts';

export type LiveListener = {
  /** A message was written, or the status changed. */
  changed?(): void;
  /** Notices may have been lost. */
  missed?(): void;
  delta?(delta: ConversationDelta): void;
  typing?(typing: ConversationTyping): void;
};

export type Live = {
  /** Calls the listener for what happens in a conversation; returns a function that stops it. */
  listen(conversationId: string, listener: LiveListener): () => void;
  /** Sends a part of a reply to the streams of all processes. */
  sendDelta(delta: ConversationDelta): void;
  sendTyping(typing: ConversationTyping): void;
  /** The reply of a turn is complete, or is not written here any more. */
  endReply(conversationId: string): void;
  /** Sends what was written so far of a reply under way, in whichever process it is. */
  askForReply(conversationId: string): void;
  close(): Promise<void>;
};

/** Characters of one part: its JSON stays below the 8000 bytes of a notice, with any characters. */
const PART_MAX = 1_000;

/**
 * Distributes events of conversations between the processes and the streams of each. An event of this process reaches its visitors' streams at
 * once, the inbox and the other processes through the database.
 */
export function createLive({ db, notices, log }: { db: Database; notices: Notices; log: Log }): Live {
  const me = newId();
  const listeners = new Map<string, Set<LiveListener>>();
  /** Replies being written in this process, by conversation. */
  const replies = new Map<string, ConversationDelta>();
  const outbox = createOutbox({ db, log });

  const each = (conversationId: string, call: (listener: LiveListener) => void): void => {
    for (const listener of listeners.get(conversationId) ?? []) call(listener);
  };
  const send = (channel: string, conversationId: string, payload: object): void => {
    outbox.push(channel, conversationId, payload);
  };
  const publish = (delta: ConversationDelta): void => {
    each(delta.conversationId, (listener) => listener.delta?.(delta));
    for (let at = 0; at < delta.text.length; at += PART_MAX)
      send(conversationDelta.channel, delta.conversationId, {
        ...delta,
        from: me,
        start: delta.start + at,
        text: delta.text.slice(at, at + PART_MAX),
      });
  };
  const repeat = (conversationId: string): boolean => {
    const reply = replies.get(conversationId);
    if (reply) publish(reply);
    return reply !== undefined;
  };
  const stops = [
    notices.subscribe(
      conversationChanged,
      ({ conversationId, readBy }) => {
        if (readBy === undefined) each(conversationId, (listener) => listener.changed?.());
      },
      () => {
        for (const group of listeners.values()) for (const listener of group) listener.missed?.();
      },
    ),
    notices.subscribe(conversationDelta, ({ from, ...delta }) => {
      if (from !== me) each(delta.conversationId, (listener) => listener.delta?.(delta));
    }),
    notices.subscribe(conversationTyping, ({ from, ...typing }) => {
      if (from !== me) each(typing.conversationId, (listener) => listener.typing?.(typing));
    }),
    notices.subscribe(deltaWanted, ({ from, conversationId }) => {
      if (from !== me) repeat(conversationId);
    }),
  ];

  return {
    listen(conversationId, listener) {
      const present = listeners.get(conversationId) ?? new Set();
      listeners.set(conversationId, present.add(listener));
      return () => {
        present.delete(listener);
        if (present.size === 0 && listeners.get(conversationId) === present) listeners.delete(conversationId);
      };
    },
    sendDelta(delta) {
      const before = replies.get(delta.conversationId);
      const kept = before?.turnId === delta.turnId ? before.text.slice(0, delta.start) : '';
      replies.set(delta.conversationId, { ...delta, start: 0, text: kept + delta.text });
      publish(delta);
    },
    sendTyping(typing) {
      each(typing.conversationId, (listener) => listener.typing?.(typing));
      send(conversationTyping.channel, typing.conversationId, { ...typing, from: me });
    },
    endReply(conversationId) {
      replies.delete(conversationId);
    },
    askForReply(conversationId) {
      if (!repeat(conversationId)) send(deltaWanted.channel, conversationId, { from: me, conversationId });
    },
    async close() {
      for (const stop of stops) stop();
      await outbox.close();
    },
  };
}

import { createParser } from 'eventsource-parser';
import { type Api, isUnknown, Refused } from './api.ts';
import type { ChatEvent } from './wire.ts';

/** The server says that it is there every 15 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 40_000;
const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 30_000;

export type Stream = { close(): void };
export type StreamOptions = {
  api: Api;
  conversationId: string;
  onEvent: (event: ChatEvent) => void;
  /** Called with each connection: what was missed can be read now, since everything later arrives. */
  onConnected: () => void;
  onLost: () => void;
  /** The server does not know the conversation. Rejects when it could not be found out why: it is asked for again. */
  onGone: () => Promise<unknown>;
};

/**
 * Follows a conversation until closed. A lost connection is made again after growing waits, at once when the network returns, and names the
 * last event it had.
 */
export function followConversation(options: StreamOptions): Stream {
  const closed = new AbortController();
  let lastEventId: string | null = null;
  let failures = 0;

  const read = async (): Promise<void> => {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const signal = AbortSignal.any([closed.signal, silence.signal]);
      const { body } = await options.api.openStream(options.conversationId, lastEventId, signal);
      if (!body) return;
      options.onConnected();
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          lastEventId = id ?? lastEventId;
          options.onEvent({ event, data: JSON.parse(data) } as ChatEvent); // as the contract declares it
        },
      });
      const decoder = new TextDecoder();
      const reader = body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        failures = 0;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        parser.feed(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
    }
  };

  const isLeft = (): Promise<boolean> =>
    options.onGone().then(
      () => true,
      () => false,
    );
  const follow = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      let atLeastMs = 0;
      try {
        await read();
      } catch (error) {
        if (closed.signal.aborted) return;
        if (isUnknown(error) && (await isLeft())) return;
        if (error instanceof Refused) atLeastMs = error.retryAfterMs ?? 0;
      }
      if (closed.signal.aborted) return;
      options.onLost();
      const waitMs = Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** failures) * (0.75 + Math.random() / 2);
      failures += 1;
      await pause(Math.max(atLeastMs, waitMs), closed.signal);
    }
  };
  void follow();
  return { close: () => closed.abort() };
}

/** Waits; not longer than until the network returns or the work is given up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    addEventListener('online', end);
    signal?.addEventListener('abort', end);
  });
}

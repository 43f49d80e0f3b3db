import { AppError } from '#platform/refuse.ts';

export type StreamKeys = { chatbot: string; address: string };

export type StreamCounts = {
  /** Refuses `rate_limited` when a chatbot, an address or the process has as many streams as it may. */
  requireRoom(keys: StreamKeys): void;
  /** Counts a stream; returns what ends it, or undefined when the room was taken meanwhile. */
  hold(keys: StreamKeys): (() => void) | undefined;
};

export const STREAM_LIMITS = { process: 4_000, chatbot: 500, address: 40 } as const;

/** Counts the open streams of visitors, so that neither an address nor a chatbot takes all of a process. */
export function createStreamCounts(limits: { process: number; chatbot: number; address: number } = STREAM_LIMITS): StreamCounts {
  const counts = new Map<string, number>();
  const keysOf = ({ chatbot, address }: StreamKeys): [string, number][] => [
    ['', limits.process],
    [`chatbot ${chatbot}`, limits.chatbot],
    [`address ${address}`, limits.address],
  ];
  const isFull = (keys: StreamKeys): boolean => keysOf(keys).some(([key, most]) => (counts.get(key) ?? 0) >= most);
  return {
    requireRoom(keys) {
      if (isFull(keys))
        throw new AppError('rate_limited', { detail: 'Too many chats are open. Close some of them.', retryAfterSeconds: 30 });
    },
    hold(keys) {
      if (isFull(keys)) return undefined;
      for (const [key] of keysOf(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const [key] of keysOf(keys)) {
          const left = (counts.get(key) ?? 1) - 1;
          if (left > 0) counts.set(key, left);
          else counts.delete(key);
        }
      };
    },
  };
}

import { followConversation, type Stream, type StreamOptions } from './stream.ts';

/** A connection that is made again sooner was no loss worth a word. */
const LOST_AFTER_MS = 2_000;

/** The connection that follows one conversation at a time, and whether it is lost for more than a moment. */
export function createConnection(options: Omit<StreamOptions, 'conversationId' | 'onLost'> & { onLost: (isLost: boolean) => void }) {
  let stream: (Stream & { conversationId: string }) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLost = false;
  const setLost = (next: boolean): void => {
    if (next === isLost) return;
    isLost = next;
    options.onLost(next);
  };
  const lose = (): void => {
    timer ??= setTimeout(() => setLost(true), LOST_AFTER_MS);
  };
  const restore = (): void => {
    clearTimeout(timer);
    timer = undefined;
    setLost(false);
  };
  return {
    lose,
    restore,
    follow(conversationId: string | null): void {
      if ((stream?.conversationId ?? null) === conversationId) return;
      stream?.close();
      stream = undefined;
      if (conversationId === null) return restore();
      const onConnected = (): void => {
        restore();
        options.onConnected();
      };
      stream = { conversationId, ...followConversation({ ...options, conversationId, onConnected, onLost: lose }) };
    },
  };
}

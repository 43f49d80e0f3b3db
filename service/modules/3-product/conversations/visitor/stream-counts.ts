import { AppError } from '#platform/refuse.ts';
import { createStreamRoom, type Held, type StreamRoom } from './stream-room.ts';

/** `address`: as limits count it (`networkOf`). */
export type StreamKeys = { chatbot: string; address: string };

export type StreamCounts = {
  /** Refuses `rate_limited` when one more stream would find no place. */
  requireRoom(keys: StreamKeys): void;
  /**
   * Counts a stream and returns what gives its place back, or undefined when there is no place any more. `end` is called when the place, already given
   * back, goes to an address that holds less.
   */
  hold(keys: StreamKeys, end: () => void): (() => void) | undefined;
};

export const STREAM_LIMITS = { process: 4_000, chatbot: 500, address: 40 } as const;

/**
 * Counts the open streams of visitors. The places of a chatbot and those of the process are shared fairly between networks and addresses, so that those
 * who take many lose them to those who have fewer.
 */
export function createStreamCounts(limits: { process: number; chatbot: number; address: number } = STREAM_LIMITS): StreamCounts {
  const all = createStreamRoom(limits.process);
  const chatbots = new Map<string, StreamRoom>();
  const addresses = new Map<string, number>();
  const releases = new WeakMap<Held, () => void>();
  const roomOf = (chatbot: string): StreamRoom => chatbots.get(chatbot) ?? createStreamRoom(limits.chatbot);

  /** Returns the stream to end for one more, null when none has to; undefined when there is no place. */
  const findPlace = ({ chatbot, address }: StreamKeys): Held | null | undefined => {
    if ((addresses.get(address) ?? 0) >= limits.address) return undefined;
    const ofChatbot = roomOf(chatbot).find(address);
    // Ending a stream of the chatbot frees a place of the process too.
    const place = ofChatbot === 'free' ? all.find(address) : ofChatbot;
    return place === 'free' ? null : place;
  };
  const hold = (keys: StreamKeys, end: () => void): (() => void) | undefined => {
    const place = findPlace(keys);
    if (place === undefined) return undefined;
    if (place) {
      releases.get(place)?.();
      place.end();
    }
    const { chatbot, address } = keys;
    const stream: Held = { address, end };
    const room = roomOf(chatbot);
    chatbots.set(chatbot, room);
    room.add(stream);
    all.add(stream);
    addresses.set(address, (addresses.get(address) ?? 0) + 1);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      room.remove(stream);
      all.remove(stream);
      if (room.isEmpty) chatbots.delete(chatbot);
      const left = (addresses.get(address) ?? 1) - 1;
      if (left > 0) addresses.set(address, left);
      else addresses.delete(address);
    };
    releases.set(stream, release);
    return release;
  };
  return {
    requireRoom(keys) {
      if (findPlace(keys) === undefined)
        throw new AppError('rate_limited', { detail: 'Too many chats are open. Close some of them.', retryAfterSeconds: 30 });
    },
    hold,
  };
}

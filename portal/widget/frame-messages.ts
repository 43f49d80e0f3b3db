/** What the chat page in a frame and the script of the website around it say to each other, each to the exact origin of the other. */
export type FromChat =
  /** The chat is served here. Texts are in the language of the visitor, colours are CSS colours with a value for both themes. */
  | { type: 'ready'; title: string; openLabel: string; closeLabel: string; fill: string; on: string; unread: number; wasOpen: boolean }
  | { type: 'close' }
  | { type: 'unread'; count: number; openLabel: string }
  /** Whether there is a conversation to show, or only a greeting. */
  | { type: 'height'; isTall: boolean };

export type FromSite = { type: 'opened' } | { type: 'closed' };

const TYPES = new Set<unknown>(['ready', 'close', 'unread', 'height', 'opened', 'closed']);

/** Returns the message of the other side; undefined for anything else that arrives. */
export function readMessage<Message extends FromChat | FromSite>(data: unknown): Message | undefined {
  const isOurs = typeof data === 'object' && data !== null && 'type' in data && TYPES.has(data.type);
  return isOurs ? (data as Message) : undefined; // sent by the other half of this file, from an origin the reader has checked
}

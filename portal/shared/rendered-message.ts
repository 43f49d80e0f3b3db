import type { Json } from '../ui/text/json-viewer.tsx';

export type Message = { body?: string; subject?: string; to?: string; channel?: string; note?: string };

/** The known members of a rendered message. */
export function readMessage(rendered: Json): Message {
  if (typeof rendered === 'string') return { body: rendered };
  if (typeof rendered !== 'object' || rendered === null || Array.isArray(rendered)) return {};
  const message: Message = {};
  for (const key of ['body', 'subject', 'to', 'channel', 'note'] as const) {
    const value = rendered[key];
    if (typeof value === 'string') message[key] = value;
  }
  return message;
}

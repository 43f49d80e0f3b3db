import { useSyncExternalStore } from 'react';

/** State that the service does not store: who is typing, and the reply that the chatbot is writing. Kept per conversation while the page is open. */
type Short = { typing: { name: string; until: number } | undefined; reply: { turnId: string; text: string } | undefined };

const NONE: Short = { typing: undefined, reply: undefined };
const TYPING_MS = 6_000;
const states = new Map<string, Short>();
const listeners = new Set<() => void>();

function change(id: string, part: Partial<Short>): void {
  const next = { ...(states.get(id) ?? NONE), ...part };
  if (next.typing || next.reply) states.set(id, next);
  else states.delete(id);
  for (const listener of listeners) listener();
}

export function noteTyping(id: string, name: string, isTyping: boolean): void {
  if (!isTyping) return change(id, { typing: undefined });
  const typing = { name, until: Date.now() + TYPING_MS };
  change(id, { typing });
  setTimeout(() => {
    if (states.get(id)?.typing === typing) change(id, { typing: undefined });
  }, TYPING_MS);
}

/** Adds a part of a reply; what is there already is dropped, and a part after a gap waits for the whole message. */
export function noteDelta(id: string, { turnId, start, text }: { turnId: string; start: number; text: string }): void {
  const before = states.get(id)?.reply;
  const known = before?.turnId === turnId ? before.text : '';
  if (start > known.length) return;
  change(id, { reply: { turnId, text: known.slice(0, start) + text } });
}

/** A message arrived: no one is typing it any more. */
export function noteMessage(id: string, author: string): void {
  change(id, author === 'bot' ? { reply: undefined } : { typing: undefined });
}

/** Clears this state, which is outdated after a lost connection. */
export function forgetShortLived(): void {
  states.clear();
  for (const listener of listeners) listener();
}

export function useShortLived(id: string): Short {
  return useSyncExternalStore(subscribe, () => states.get(id) ?? NONE);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

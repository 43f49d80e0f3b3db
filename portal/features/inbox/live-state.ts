import { useSyncExternalStore } from 'react';
import { Listeners } from '../../ui/hooks/listeners.ts';

/** State that the service does not store: who is typing, and the reply that the chatbot is writing. Kept per conversation while the page is open. */
type Short = { typing: { name: string; until: number } | undefined; reply: { turnId: string; text: string } | undefined };

const NONE: Short = { typing: undefined, reply: undefined };
const TYPING_MS = 6_000;
const states = new Map<string, Short>();
/** Conversations that a person has: the service drops the reply that the chatbot is writing there. */
const silent = new Set<string>();
const listeners = new Listeners();

function change(id: string, part: Partial<Short>): void {
  const next = { ...(states.get(id) ?? NONE), ...part };
  if (next.typing || next.reply) states.set(id, next);
  else states.delete(id);
  listeners.notify();
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
  if (silent.has(id)) return;
  const before = states.get(id)?.reply;
  const known = before?.turnId === turnId ? before.text : '';
  if (start > known.length) return;
  change(id, { reply: { turnId, text: known.slice(0, start) + text } });
}

/** A conversation changed: one that the chatbot does not answer any more has no reply of it under way. */
export function noteStatus(id: string, status: string): void {
  if (status === 'open') silent.delete(id);
  else {
    silent.add(id);
    change(id, { reply: undefined });
  }
}

/** A message arrived: no one is typing it any more. */
export function noteMessage(id: string, author: string): void {
  change(id, author === 'bot' ? { reply: undefined } : { typing: undefined });
}

/** Clears this state, which is outdated after a lost connection. */
export function forgetShortLived(): void {
  states.clear();
  silent.clear();
  listeners.notify();
}

export function useShortLived(id: string): Short {
  return useSyncExternalStore(listeners.subscribe, () => states.get(id) ?? NONE);
}

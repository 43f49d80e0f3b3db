import { useSyncExternalStore } from 'react';
import { v4 as newId } from 'uuid';
import { api } from '../../app/api.ts';
import { explain } from '../../app/errors.ts';
import { addMessage } from './cache.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Listeners } from '../../ui/hooks/listeners.ts';

/** Drafts and replies on their way, kept per conversation while the reader moves between pages. */
export type Outgoing = { clientMessageId: string; text: string; at: string; problem: string | undefined };

const drafts = new Map<string, string>();
const outgoing = new Map<string, readonly Outgoing[]>();
const EMPTY: readonly Outgoing[] = [];
const listeners = new Listeners();

export function draftOf(id: string): string {
  return drafts.get(id) ?? '';
}

export function keepDraft(id: string, text: string): void {
  if (text.trim() === '') drafts.delete(id);
  else drafts.set(id, text);
  guard();
}

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Only a reload or closing the window loses what is kept here. A listener that is always there would keep browsers from restoring the page. */
function guard(): void {
  if (drafts.size + outgoing.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

export function useOutgoing(id: string): readonly Outgoing[] {
  return useSyncExternalStore(listeners.subscribe, () => outgoing.get(id) ?? EMPTY);
}

/** Shows a reply at once and sends it. A failed reply stays, with the reason, until it is sent again or discarded. */
export function sendReply(id: string, text: string): void {
  const reply = { clientMessageId: newId(), text, at: new Date().toISOString(), problem: undefined };
  set(id, [...(outgoing.get(id) ?? []), reply]);
  deliverInOrder(id, reply);
}

export function retryReply(id: string, reply: Outgoing): void {
  replace(id, { ...reply, problem: undefined });
  deliverInOrder(id, reply);
}

export function discardReply(id: string, clientMessageId: string): void {
  set(
    id,
    (outgoing.get(id) ?? []).filter((one) => one.clientMessageId !== clientMessageId),
  );
}

/** The last reply on its way of each conversation: resolves to the problem that kept it from being sent. */
const tails = new Map<string, Promise<string | undefined>>();

/** Sends a reply after those before it: the visitor reads them in the order of their arrival. One behind a reply that failed fails with it. */
function deliverInOrder(id: string, reply: Outgoing): void {
  const sent = (tails.get(id) ?? Promise.resolve(undefined)).then((problem) => {
    if (problem === undefined) return deliver(id, reply);
    replace(id, { ...reply, problem });
    return problem;
  });
  tails.set(id, sent);
  void sent.then(() => {
    if (tails.get(id) === sent) tails.delete(id);
  });
}

async function deliver(id: string, reply: Outgoing): Promise<string | undefined> {
  let problem: string | undefined;
  try {
    // Every attempt has the same id, so that a reply that did arrive is not stored twice.
    const message = await api.replyToConversation({
      params: { id },
      body: { text: reply.text, clientMessageId: reply.clientMessageId },
    });
    addMessage(id, message);
    discardReply(id, reply.clientMessageId);
  } catch (error) {
    const { title, detail } = explain(error);
    problem = detail || title;
    replace(id, { ...reply, problem });
  }
  void refreshAfter('conversationChanged', id);
  return problem;
}

function replace(id: string, reply: Outgoing): void {
  set(
    id,
    (outgoing.get(id) ?? []).map((one) => (one.clientMessageId === reply.clientMessageId ? reply : one)),
  );
}

function set(id: string, next: readonly Outgoing[]): void {
  if (next.length > 0) outgoing.set(id, next);
  else outgoing.delete(id);
  guard();
  listeners.notify();
}

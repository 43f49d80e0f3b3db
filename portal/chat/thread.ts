import { timeOf } from './ids.ts';
import type { Conversation, Events, Message, Sent, Status } from './wire.ts';

/** A text of the visitor that the server has not confirmed yet. `waiting`: sent again by itself. `failed`: sent again when asked. */
export type Outgoing = { clientMessageId: string; text: string; state: 'sending' | 'waiting' | 'failed'; problem: string };

/**
 * What this browser knows of its conversation. Every change may arrive twice and in any order (a reply, the stream, a second tab, the list
 * after a lost connection): messages are merged by their id and by the id their sender chose, parts of an answer by where they start.
 */
export type Thread = {
  conversationId: string | null;
  status: Status;
  humanName: string | null;
  /** The server writes an answer, also one to a message that stands before the newest reply. */
  isAnswering: boolean;
  /** In the order they were written. */
  messages: readonly Message[];
  outgoing: readonly Outgoing[];
  /** The answer as far as it was written. */
  answer: { turnId: string; text: string } | null;
  /** Turns whose answer is complete: parts of it that arrive later count for nothing. */
  endedTurns: readonly string[];
  /** Who writes just now. */
  typing: { author: 'bot' | 'human'; name: string } | null;
};

export const NEW_THREAD: Thread = {
  conversationId: null,
  status: 'open',
  humanName: null,
  isAnswering: false,
  messages: [],
  outgoing: [],
  answer: null,
  endedTurns: [],
  typing: null,
};

const ENDED_TURNS_MAX = 20;

/** Adds messages, each once; a message of this browser leaves the list of those to send. */
export function mergeMessages(thread: Thread, arrived: readonly Message[]): Thread {
  const byId = new Map([...thread.messages, ...arrived].map((message) => [message.id, message]));
  const messages = [...byId.values()].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1));
  const sent = new Set(messages.map((message) => message.clientMessageId));
  const outgoing = thread.outgoing.filter(({ clientMessageId }) => !sent.has(clientMessageId));
  const isAwaited = thread.status === 'open' && (messages.at(-1)?.author === 'visitor' || thread.isAnswering);
  return { ...thread, messages, outgoing, answer: isAwaited ? thread.answer : null };
}

/** Takes over the server's list, for example after a lost connection. */
export function mergeConversation(thread: Thread, { conversationId, status, humanName, isAnswering, messages }: Conversation): Thread {
  const mine =
    thread.conversationId === null || thread.conversationId === conversationId ? thread : { ...NEW_THREAD, outgoing: thread.outgoing };
  const known = new Set(mine.messages.map(({ id }) => id));
  // A reply that was missed may be the one that is shown in part.
  const answer = messages.some(({ id, author }) => author !== 'visitor' && !known.has(id)) ? null : mine.answer;
  return mergeMessages({ ...mine, conversationId, status, humanName, isAnswering, answer }, messages);
}

/** Changes what is known of one text that is to be sent; of all without an id. */
export function setOutgoing(thread: Thread, id: string | null, change: Pick<Outgoing, 'state' | 'problem'>): Thread {
  const outgoing = thread.outgoing.map((one) => (id === null || one.clientMessageId === id ? { ...one, ...change } : one));
  return { ...thread, outgoing };
}

/** Takes over that the server has a message, and in which conversation. */
export function confirmSent(thread: Thread, { clientMessageId, text }: Outgoing, sent: Sent): Thread {
  const begun = { ...thread, conversationId: sent.conversationId, status: sent.status };
  if (!('messageId' in sent)) return { ...begun, outgoing: thread.outgoing.filter((one) => one.clientMessageId !== clientMessageId) };
  const { messageId: id } = sent;
  return mergeMessages(begun, [{ id, author: 'visitor', authorName: '', text, sources: [], clientMessageId, at: timeOf(id) }]);
}

/**
 * Adds a part of the answer in place of what is known behind its start: an answer that was begun again replaces the first one. A part that is
 * known changes nothing; one whose beginning is missing waits for the whole. While a person has the conversation the chatbot's answer is dropped, as
 * the server drops it.
 */
export function addDelta(thread: Thread, { turnId, start, text }: Events['delta']): Thread {
  if (thread.status !== 'open' || thread.endedTurns.includes(turnId)) return thread;
  const known = thread.answer?.turnId === turnId ? thread.answer.text : '';
  if (start > known.length || known.startsWith(text, start)) return thread;
  return { ...thread, typing: null, answer: { turnId, text: known.slice(0, start) + text } };
}

/** Adds a message of the stream; it ends the turn it answers. */
export function addMessage(thread: Thread, { turnId, ...message }: Events['message']): Thread {
  const endedTurns =
    turnId !== null && message.author !== 'visitor' ? [...thread.endedTurns, turnId].slice(-ENDED_TURNS_MAX) : thread.endedTurns;
  const isWritten = turnId !== null && message.author !== 'visitor' && thread.answer?.turnId === turnId;
  const typing = message.author === 'visitor' ? thread.typing : null;
  return mergeMessages({ ...thread, endedTurns, typing, answer: isWritten ? null : thread.answer }, [message]);
}

export function setTyping(thread: Thread, { author, name, isTyping }: Events['typing']): Thread {
  return { ...thread, typing: isTyping ? { author, name } : null };
}

export function setStatus(thread: Thread, { status, humanName, isAnswering }: Events['status']): Thread {
  const isSame = status === thread.status;
  const answer = status === 'open' ? thread.answer : null;
  return { ...thread, status, humanName, isAnswering, typing: isSame ? thread.typing : null, answer };
}

/** The chatbot owes an answer. */
export function isAwaiting(thread: Thread): boolean {
  if (thread.status !== 'open' || thread.humanName !== null) return false;
  return thread.outgoing.some(({ state }) => state === 'sending') || isUnanswered(thread);
}

/** The server has the question and not its answer: what is sent now comes after it. */
export function isUnanswered({ status, humanName, isAnswering, messages }: Thread): boolean {
  return status === 'open' && humanName === null && (isAnswering || messages.at(-1)?.author === 'visitor');
}

/** Messages of others after the one that was read last; all of them when it is not known. */
export function countUnread(messages: readonly Message[], readId: string | null): number {
  const at = messages.findIndex(({ id }) => id === readId);
  return messages.slice(at + 1).filter(({ author }) => author !== 'visitor').length;
}

import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Place } from '#platform/db/place.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { EventsAnswer } from '#platform/http/answer.ts';
import { isRefusal } from '#platform/refuse.ts';
import { nextPlace, streamRows, timeId } from '#platform/http/follow-changes.ts';
import type { EventSource, ServerEvent } from '#platform/http/sse.ts';
import type { Topic } from '#platform/notify.ts';
import { recordLook } from '#modules/1-ledger/audit/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { ConversationsDeps } from '../deps.ts';
import { conversationChanged, conversationDelta, conversationTyping } from '../live/topics.ts';
import { inInbox } from './list-conversations.ts';
import { requireInbox } from './require-feature.ts';
import { type ConversationRow, findConversationRows, listConversationsAfter, readerIdOf } from './store.ts';
import { findMessageRows, listMessagesAfter, type MessageRow } from './store-messages.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { toConversationRecord, toMessageRecordFor } from './to-record.ts';

type Deps = Pick<ConversationsDeps, 'db' | 'notices' | 'log'>;
type Scope = { partnerId: string | null; clientId: string | undefined };
type Owned = { partnerId: string; clientId: string };

/** Marks the ids of messages among those of conversations. */
const MESSAGE = 'm:';

/**
 * Streams conversations and messages in scope as they change, replies as they are written, and who is typing. Rows are read under the
 * reader's tenant; the event id is the time up to which they are complete, so Last-Event-ID resumes even in another process.
 */
export async function streamConversations(deps: Deps, actor: Actor, clientId: string | undefined): Promise<EventsAnswer> {
  const scope = await inInbox(deps, actor, clientId, async (tx, own) => {
    await refuseUnknownScope(tx, own, 0);
    // A stream of all clients is the inbox, whose conversations are opened one by one.
    if (own.clientId !== undefined) await recordLook(tx, actor, 'conversations', { partnerId: own.partnerId, clientId: own.clientId });
    return own;
  });
  const isOwn = (owner: Owned): boolean =>
    (scope.partnerId === null || owner.partnerId === scope.partnerId) &&
    (scope.clientId === undefined || owner.clientId === scope.clientId);
  return { kind: 'events', source: withShortLived(deps, isOwn, actor, (end) => rowsOf(deps, actor, scope, isOwn, end)) };
}

function rowsOf({ db, notices, log }: Deps, actor: Actor, scope: Scope, isOwn: (owner: Owned) => boolean, end: () => void): EventSource {
  const read = async (work: (tx: Tx) => Promise<{ messages: MessageRow[]; conversations: ConversationRow[] }>): Promise<ServerEvent[]> => {
    const id = timeId(new Date());
    const { messages, conversations, locale } = await inScope(db, actor, undefined, async (tx) => {
      await requireInbox(tx, actor);
      return { ...(await work(tx)), locale: await readerLocale(tx, actor) };
    }).catch((error: unknown) => {
      // The plan changed while the stream was open: nothing more of the inbox is shown.
      if (isRefusal(error, 'plan_feature_required')) end();
      throw error;
    });
    const reader = { role: actor.role, locale };
    return [
      ...messages.map((row) => ({
        id,
        event: 'message',
        data: { conversationId: row.conversationId, message: toMessageRecordFor(reader, row) },
      })),
      ...conversations.map((row) => ({ id, event: 'conversation', data: toConversationRecord(row) })),
    ];
  };
  return streamRows({
    log,
    what: 'conversations',
    subscribe: (changed, missed) =>
      notices.subscribe(
        conversationChanged,
        (notice) => {
          if (!isOwn(notice) || (notice.readBy !== undefined && notice.readBy !== actor.userId)) return;
          changed([...notice.messageIds.map((id) => MESSAGE + id), notice.conversationId]);
        },
        missed,
      ),
    read: (ids) =>
      read(async (tx) => {
        const messageIds = ids.filter((id) => id.startsWith(MESSAGE)).map((id) => id.slice(MESSAGE.length));
        const conversationIds = ids.filter((id) => !id.startsWith(MESSAGE));
        return {
          messages: messageIds.length > 0 ? await findMessageRows(tx, messageIds) : [],
          conversations: conversationIds.length > 0 ? await findConversationRows(tx, readerIdOf(actor), conversationIds, scope) : [],
        };
      }),
    readAfter: async (place, max) => {
      let next: Place | null = null;
      const events = await read(async (tx) => {
        const messages = await listMessagesAfter(tx, scope, place, max);
        const conversations = await listConversationsAfter(tx, readerIdOf(actor), scope, place, max);
        // What lies after the earlier end of the two lists is on the next page.
        const ends = [nextPlace(messages, max, placeOfMessage), nextPlace(conversations, max, placeOfConversation)];
        const end = ends.filter((one) => one !== null).toSorted(comparePlaces)[0] ?? null;
        next = end;
        return {
          messages: messages.filter((row) => end === null || comparePlaces(placeOfMessage(row), end) <= 0),
          conversations: conversations.filter((row) => end === null || comparePlaces(placeOfConversation(row), end) <= 0),
        };
      });
      return { events, next };
    },
  });
}

const placeOfMessage = ({ id, at }: MessageRow): Place => ({ id, time: at });
const placeOfConversation = ({ id, updatedAt }: ConversationRow): Place => ({ id, time: updatedAt });
const comparePlaces = (a: Place, b: Place): number => a.time.getTime() - b.time.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Adds what is not stored: parts of replies and typing. They carry the id of the row event before them, so that resuming misses none. */
function withShortLived(
  { notices }: Deps,
  isOwn: (owner: Owned) => boolean,
  actor: Actor,
  rowsUntil: (end: () => void) => EventSource,
): EventSource {
  return {
    async open(send, lastEventId, end) {
      const rows = rowsUntil(() => end?.());
      let complete = lastEventId ?? timeId(new Date());
      const stopRows = await rows.open((event) => {
        complete = event.id;
        send(event);
      }, lastEventId);
      const pass = <P extends Owned>(topic: Topic<P>, event: string, dataOf: (notice: P) => unknown): (() => void) =>
        notices.subscribe(topic, (notice) => {
          if (!isOwn(notice)) return;
          const data = dataOf(notice);
          if (data !== null) send({ id: complete, event, data });
        });
      const stops = [
        pass(conversationDelta, 'delta', ({ conversationId, turnId, start, text }) => ({ conversationId, turnId, start, text })),
        pass(conversationTyping, 'typing', ({ conversationId, author, name, isTyping, userId }) =>
          author === 'bot' || userId === actor.userId ? null : { conversationId, author, name, isTyping },
        ),
      ];
      return () => {
        stopRows();
        for (const stop of stops) stop();
      };
    },
  };
}

import type { HandoffReason } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import type { AiProxy } from '#modules/3-product/ai-proxy/index.ts';
import type { Chatbot } from '#modules/3-product/chatbot/index.ts';
import type { Executions } from '#modules/3-product/executions/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { Log } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import type { Secret } from '#platform/secret.ts';
import type { Live } from './live/live.ts';

export type { AiMessage, AiReply } from '#modules/3-product/ai-proxy/index.ts';
export type { ChatbotFacts, FoundPassage } from '#modules/3-product/chatbot/index.ts';

export type VisitorLimit =
  | 'visitorMessage'
  | 'visitorAddress'
  | 'visitorAddressDay'
  | 'chatbotMessage'
  | 'partnerMessage'
  | 'chatRunContact'
  | 'chatRunAddress'
  | 'chatRunChatbot';

export type ConversationsOptions = {
  db: Database;
  notices: Notices;
  limits: RateLimits<VisitorLimit>;
  clock: Clock;
  log: Log;
  cursors: Cursors;
  complete: AiProxy['complete'];
  chatbot: Pick<Chatbot, 'findServed' | 'findPassages'>;
  runDirectly: Executions['runDirectly'];
  /** The catalog: it says which agents start bookings. */
  templates: readonly Template[];
  templateOf: (name: string) => Template | undefined;
  queueMail: MailQueue['queueMail'];
  /** Derives the id of a conversation from its first message. */
  secret: Secret;
  /** How often an open stream looks whether its chatbot is still served; 15 s when left out. */
  servedMs?: number;
  /** Public base address without a trailing slash. */
  publicBaseUrl: string;
};

export type ConversationsDeps = ConversationsOptions & {
  live: Live;
  /** Id of this process, as holder of turns. */
  worker: string;
};

/** Dependencies of the inbox. */
export type InboxDeps = Pick<ConversationsOptions, 'db' | 'cursors' | 'clock' | 'log' | 'notices' | 'templates'>;

/** Why a conversation is handed over, besides a person who takes it over. */
export type OwnReason = Exclude<HandoffReason, 'taken_over'>;

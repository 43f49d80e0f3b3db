import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import type { publicEvents } from '@partner-portal/contract/records/conversation.ts';
import type { chatbotPublicRoutes } from '@partner-portal/contract/routes/chatbot-public.ts';

/** Types of the contract. Its schemas stay out of this page: the library that runs them is as large as all the rest. */
type Routes = typeof chatbotPublicRoutes;
export type Chatbot = ReplyOf<Routes['getPublicChatbot']>;
export type Conversation = ReplyOf<Routes['getPublicConversation']>;
export type Sent = ReplyOf<Routes['sendVisitorMessage']>;
export type Message = Conversation['messages'][number];
export type Status = Conversation['status'];
export type Events = { [Name in keyof typeof publicEvents]: (typeof publicEvents)[Name]['_output'] };
export type ChatEvent = { [Name in keyof Events]: { event: Name; data: Events[Name] } }[keyof Events];

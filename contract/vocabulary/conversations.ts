import type { Provider } from './credentials.ts';

/** Providers of language models. */
export const AI_PROVIDERS = ['openai', 'anthropic'] as const satisfies readonly Provider[];
export type AiProvider = (typeof AI_PROVIDERS)[number];

/** `proxy`: a call of a user. `preview`: of the settings page of a chatbot. */
export const AI_CALL_PURPOSES = ['proxy', 'chatbot', 'preview'] as const;
export type AiCallPurpose = (typeof AI_CALL_PURPOSES)[number];

export const CONVERSATION_STATUSES = ['open', 'handed_off', 'closed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const MESSAGE_AUTHORS = ['visitor', 'bot', 'human'] as const;
export type MessageAuthor = (typeof MESSAGE_AUTHORS)[number];

/** Why a conversation waits for a person. `phrase`: a rule of the settings. `taken_over`: a person stepped in. */
export const HANDOFF_REASONS = ['visitor', 'unsure', 'phrase', 'quota', 'budget', 'failure', 'taken_over'] as const;
export type HandoffReason = (typeof HANDOFF_REASONS)[number];

/** The model chooses (`deciding`), an agent runs (`running`), the reply is written (`composing`). */
export const TURN_STATES = ['received', 'deciding', 'running', 'composing', 'done', 'failed'] as const;
export type TurnState = (typeof TURN_STATES)[number];

export const KNOWLEDGE_KINDS = ['profile', 'text', 'file'] as const;
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number];

export const KNOWLEDGE_STATUSES = ['pending', 'ready', 'failed'] as const;

import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';

/** The model of a provider until another one is chosen: small ones, which answer within a second. */
export const DEFAULT_MODELS: Readonly<Record<AiProvider, string>> = { openai: 'gpt-4.1-mini', anthropic: 'claude-haiku-4-5' };

export const DEFAULT_REMINDER_MINUTES = 30;

/** The settings of a chatbot before they are saved, with words in the language of its client. It is switched off. */
export function chatbotDefaults(words: { name: string; greeting: string }) {
  return {
    isActive: false,
    name: words.name,
    greeting: words.greeting.slice(0, 500),
    persona: '',
    knowledgeText: '',
    provider: 'openai' as AiProvider,
    model: DEFAULT_MODELS.openai,
    handoffEmail: '',
    handoffPhrases: [] as string[],
    handoffWhenUnsure: true,
    reminderMinutes: DEFAULT_REMINDER_MINUTES,
    agentRoutes: [] as { intent: string; workflowId: string }[],
    brandColor: null as string | null,
    allowedOrigins: [] as string[],
    privacyUrl: '',
  };
}

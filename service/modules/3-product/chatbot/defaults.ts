import { chatbotDefaults } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';

/** The settings of a chatbot that has none yet: visitors read its name and greeting in the language of its client. */
export function defaultsOf({ name, locale }: Pick<ClientRef, 'name' | 'locale'>) {
  const { t } = messagesFor(locale);
  return chatbotDefaults({ name: t('bot.name'), greeting: t('bot.greeting', { business: name }) });
}

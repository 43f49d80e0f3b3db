import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../app/session.ts';
import { chatbotQuery } from '../../queries/chatbot.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { KeyValues, Section } from '../../ui/layout/layout.tsx';
import { hostOf, joinWords } from '../../ui/text/format.ts';

/** The business's own chatbot, which its agency sets up: read only. Nothing is shown before it is set up. */
export function OwnChatbot() {
  const { t } = useMessages();
  const { features, partner } = useUser();
  const { data } = useQuery({ ...chatbotQuery(undefined), enabled: features.chatbot });
  if (!data?.id) return null;
  const hosts = data.allowedOrigins.map(hostOf);
  return (
    <Section className="mt-10 max-w-form" title={t('client.chatbot')}>
      <p className="my-3 text-ink-2">
        {data.isActive ? t(data.isAtBudget ? 'client.chatbotAtBudget' : 'client.chatbotOn') : t('client.chatbotOff')}{' '}
        {t('client.chatbotAsk', { agency: partner.name })}
      </p>
      <KeyValues
        rows={[
          [
            t('client.state'),
            <Status key="state" mark={data.isActive ? 'ok' : 'pause'}>
              {t(data.isActive ? 'client.chatOn' : 'client.chatOff')}
            </Status>,
          ],
          [t('client.chatName'), data.name],
          [t('client.greeting'), data.greeting],
          [t('client.shownOn'), hosts.length > 0 ? joinWords(hosts) : t('client.noWebsite')],
        ]}
      />
    </Section>
  );
}

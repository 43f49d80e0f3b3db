import type { TextSuggestionStatus } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type TextSuggestion, textSuggestionsQuery } from '../../queries/text-suggestions.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { dateOf } from './days.ts';
import '../../ui/layout/section-header.css';

const MARKS: Record<TextSuggestionStatus, MarkKind> = { pending: 'wait', applied: 'ok', declined: 'none', withdrawn: 'none' };
const WORDS: Record<TextSuggestionStatus, MessageKey> = {
  pending: 'text-changes.status-pending',
  applied: 'text-changes.status-applied',
  declined: 'text-changes.status-declined',
  withdrawn: 'text-changes.status-withdrawn',
};

/** The texts this client suggested for an agent, and what its agency decided. */
export function OwnSuggestions({ agentId }: { agentId: string }) {
  const { t } = useMessages();
  const suggestions = useQuery(textSuggestionsQuery({ agentId })).data ?? [];
  if (suggestions.length === 0) return null;
  return (
    <section>
      <div className="section-header">
        <h2>{t('text-changes.yours')}</h2>
      </div>
      <ul>
        {suggestions.map((one) => (
          <OwnSuggestion key={one.id} suggestion={one} />
        ))}
      </ul>
    </section>
  );
}

function OwnSuggestion({ suggestion }: { suggestion: TextSuggestion }) {
  const messages = useMessages();
  const { t } = messages;
  const agency = useUser().partner.name;
  const refusal = useRefusal('requests.create');
  const { id, status, label, text, decisionNote, decidedByName, createdAt } = suggestion;
  const withdraw = useMutation({
    mutationFn: () => api.withdrawTextSuggestion({ params: { id } }),
    onSuccess: () => announce(t('text-changes.withdrawn')),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('textSuggestionChanged'),
  });
  const word = t(WORDS[status], { agency });
  const isDecided = status === 'applied' || status === 'declined';
  return (
    <li className="grid gap-1.5 border-b border-line-soft py-3.5">
      <p className="text-sm text-ink-3">
        {label}, {dateOf(messages, createdAt)}
      </p>
      <p className="whitespace-pre-wrap">{text}</p>
      <p className="flex items-start gap-2 text-ink-2">
        <Mark kind={MARKS[status]} className="mt-1" />
        <span className="min-w-0">
          {isDecided && decidedByName !== null ? t('text-changes.by', { status: word, name: decidedByName }) : word}
          {decisionNote === null ? null : `: ${t('report.quoted', { words: decisionNote })}`}
        </span>
      </p>
      {status === 'pending' ? (
        <div>
          <Button
            size="sm"
            disabledReason={refusal}
            busy={withdraw.isPending && t('text-changes.withdrawing')}
            onClick={() => withdraw.mutate()}
          >
            {t('text-changes.withdraw')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}

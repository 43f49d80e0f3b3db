import { formatNumber, plural } from '../../ui/text/format.ts';
import type { ConversationDetail } from '../../queries/inbox.ts';

/** Credits and tokens of a conversation; nothing for a client, and before its first call of a language model or agent. */
export function CostLine({ usage }: { usage: ConversationDetail['usage'] }) {
  if (usage === null) return null;
  const { aiCalls, inputTokens, outputTokens, aiCredits, runs, runCredits } = usage;
  if (aiCalls === 0 && runs === 0) return null;
  const credits = aiCredits + runCredits;
  return (
    <p
      className="tabular-nums truncate text-xs text-ink-3"
      title={`${formatNumber(inputTokens)} tokens in, ${formatNumber(outputTokens)} out, in ${plural(aiCalls, 'call')}`}
    >
      {plural(credits, 'credit')}
      {aiCalls > 0 ? `, ${plural(inputTokens + outputTokens, 'token')}` : ''}
      {runs > 0 ? `, ${plural(runs, 'agent run')}` : ''}
    </p>
  );
}

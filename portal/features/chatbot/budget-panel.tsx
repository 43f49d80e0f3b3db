import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { quotaQuery } from '../../queries/agency.ts';
import { chatBudgetsQuery } from '../../queries/chatbot.ts';
import { billingDay } from '../../shared/billing-labels.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { formatMinute, formatNumber } from '../../ui/text/format.ts';
import '../../ui/layout/panel.css';

/** What a chatbot used of its budget today, and all chatbots of the month: of one client, or without one of the agency alone. */
export function BudgetPanel({ clientId }: { clientId: string | undefined }) {
  const { data, error } = useQuery(chatBudgetsQuery(clientId));
  const quota = useQuery(quotaQuery);
  // The page works without it, and Usage says what is wrong.
  if (error && !data) return null;
  // Until the quota is known nothing says when the credits end.
  if (!data || quota.isPending) return <SkeletonBlock height={132} />;
  const { period, today, chatbotCredits, conversationCredits, visitorCredits } = data;
  const one = clientId === undefined ? undefined : today.chatbots[0];
  // Credits of a trial or a cancelled plan end with it, before a new month would begin.
  const endsAt = quota.data?.endsAt ?? null;
  const until = billingDay(endsAt ?? period.resetsAt);
  return (
    <section className="panel mb-5 grid gap-3 p-4" aria-label="Budget">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-sm">Budget</h2>
        <Link className="link" to="/dashboard/usage" hash="chatbots">
          See and change budgets
        </Link>
      </div>
      {one?.isReached ? (
        <Note tone="warn">
          <b>{one.name} has reached its budget for today.</b> Visitors are offered a reply by a person until {formatMinute(today.resetsAt)}.
        </Note>
      ) : null}
      {period.stoppedBy ? (
        <Note tone="warn">
          <b>
            {period.stoppedBy === 'quota'
              ? 'All credits are used or reserved.'
              : `Chatbots have no credits left${endsAt === null ? ' this month' : ''}.`}
          </b>{' '}
          Visitors are offered a reply by a person {period.stoppedBy === 'quota' ? 'until credits are free' : `until ${until}`}, except
          where your own key answers.
        </Note>
      ) : null}
      {one ? (
        <Spent
          label="Today"
          used={one.used}
          limit={Math.min(chatbotCredits, period.limit)}
          until={`${formatMinute(today.resetsAt)} (midnight UTC)`}
        />
      ) : null}
      <Spent label={endsAt === null ? 'All chatbots this month' : 'All chatbots'} used={period.used} limit={period.limit} until={until} />
      <p className="text-ink-3">
        At most {formatNumber(conversationCredits)} credits a day for one conversation and {formatNumber(visitorCredits)} for one visitor.
      </p>
    </section>
  );
}

function Spent({ label, used, limit, until }: { label: string; used: number; limit: number; until: string }) {
  return (
    <div>
      <p className="mb-1 flex flex-wrap justify-between gap-x-3">
        <span>
          {label}, until {until}
        </span>
        <span className="num">
          {formatNumber(used)} of {formatNumber(limit)} credits
        </span>
      </p>
      <Meter small used={used} limit={limit} label={`Credits used: ${label}`} />
    </div>
  );
}

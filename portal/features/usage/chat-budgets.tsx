import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { useUser } from '../../app/session.ts';
import { type ChatBudgets, chatBudgetsQuery } from '../../queries/chatbot.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { billingDay } from '../../shared/billing-labels.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Figures, Section } from '../../ui/layout/layout.tsx';
import { formatMinute, formatNumber } from '../../ui/text/format.ts';

/** What conversations with visitors may cost the agency, and what they cost so far. Nothing without chatbots in the plan. `endsAt` is that of the quota. */
export function ChatBudgetsSection({ endsAt }: { endsAt: string | null }) {
  const { features } = useUser();
  const budgets = useQuery({ ...chatBudgetsQuery(undefined), enabled: features.chatbot });
  if (!features.chatbot) return null;
  return (
    <div className="mt-7" id="chatbots">
      <Section title="Chatbots" note="credits that conversations with website visitors may use">
        <div className="pt-3">
          {budgets.error && !budgets.data ? <ErrorBlock error={budgets.error} onRetry={() => void budgets.refetch()} /> : null}
          {!budgets.data && !budgets.error ? <SkeletonBlock height={420} /> : null}
          {budgets.data ? <Budgets budgets={budgets.data} endsAt={endsAt} /> : null}
        </div>
      </Section>
    </div>
  );
}

function Budgets({ budgets, endsAt }: { budgets: ChatBudgets; endsAt: string | null }) {
  const { period, today, chatbotCredits } = budgets;
  return (
    <>
      {period.stoppedBy ? (
        <div className="mb-4">
          <Note tone="warn">
            <b>{STOPPED[period.stoppedBy]}</b> Visitors are offered a reply by a person{' '}
            {period.stoppedBy === 'quota' ? 'until credits are free' : `until ${billingDay(endsAt ?? period.resetsAt)}`}, except where your
            own key answers.
          </Note>
        </div>
      ) : null}
      <div className="mb-4">
        <Meter used={period.used} limit={period.limit} label="Credits that chatbots used this month" />
      </div>
      <Figures
        items={[
          {
            label: 'Used by chatbots',
            value: formatNumber(period.used),
            unit: ` of ${formatNumber(period.limit)}`,
            note: `this month, ${endsAt === null ? `resets ${billingDay(period.resetsAt)}` : `until ${billingDay(endsAt)}`}`,
          },
          { label: 'Held', value: formatNumber(period.inFlight), note: 'by answers in progress' },
          { label: 'Kept for events', value: formatNumber(period.reserve), note: 'chatbots never use these' },
        ]}
      />
      <h3 className="mt-5 mb-1 text-sm">Today, until {formatMinute(today.resetsAt)}</h3>
      {today.chatbots.length === 0 ? <p className="text-ink-3">No chatbot has used credits today.</p> : null}
      <ul className="mb-5 max-w-form">
        {today.chatbots.map((one) => (
          <li key={one.chatbotId} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft py-2">
            <Link
              className="link min-w-0 flex-1 basis-50"
              to="/dashboard/clients/$id"
              params={{ id: one.clientId }}
              search={{ tab: 'chatbot' }}
            >
              {one.name}, {one.clientName}
            </Link>
            {one.isReached ? (
              <span className="inline-flex items-center gap-1.5">
                <Mark kind="warn" size={12} label="At its budget" /> at its budget
              </span>
            ) : null}
            <span className="num">
              {formatNumber(one.used)} of {formatNumber(chatbotCredits)}
            </span>
          </li>
        ))}
      </ul>
      <BudgetForm budgets={budgets} />
    </>
  );
}

const STOPPED: Readonly<Record<NonNullable<ChatBudgets['period']['stoppedBy']>, string>> = {
  share: 'Chatbots have used their share of this month’s credits.',
  reserve: 'The credits that are left are kept for events.',
  quota: 'All credits are used or reserved.',
};

type Values = { sharePercent: string; conversationCredits: string; visitorCredits: string; chatbotCredits: string };

const valuesOf = ({ sharePercent, conversationCredits, visitorCredits, chatbotCredits }: ChatBudgets): Values => ({
  sharePercent: String(sharePercent),
  conversationCredits: String(conversationCredits),
  visitorCredits: String(visitorCredits),
  chatbotCredits: String(chatbotCredits),
});

const isWholeNumber = (text: string, most: number): boolean => /^\d+$/.test(text.trim()) && Number(text) <= most;

function BudgetForm({ budgets }: { budgets: ChatBudgets }) {
  const refusal = useRefusal('chatbot.manage');
  const form = useForm<Values, ChatBudgets>({
    saved: valuesOf(budgets),
    send: (values) =>
      formApi.changeChatBudgets({
        body: {
          sharePercent: Number(values.sharePercent),
          conversationCredits: Number(values.conversationCredits),
          visitorCredits: Number(values.visitorCredits),
          chatbotCredits: Number(values.chatbotCredits),
        },
        ...(budgets.updatedAt ? { headers: { 'if-match': `"${budgets.updatedAt}"` } } : {}),
      }),
    onSaved: (after) => {
      queryClient.setQueryData(chatBudgetsQuery(undefined).queryKey, after);
      void refreshAfter('chatBudgetsChanged');
      announce('Budgets saved. The next answer uses them.');
    },
    check: (values) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([name, text]) => {
          const most = name === 'sharePercent' ? 100 : LIMITS.chatDayCreditsMax;
          return isWholeNumber(text, most) ? [] : [[name, `Enter a whole number from 0 to ${formatNumber(most)}.`]];
        }),
      ),
  });
  const number = { inputMode: 'numeric', disabled: refusal !== undefined, className: 'max-w-40' } as const;
  return (
    <SettingsForm form={form} refusal={refusal} className="max-w-form" onReload={() => void refreshAfter('chatBudgetsChanged')}>
      <TextField
        label="Share of the month, in percent"
        hint="All chatbots together use at most this part of the month’s credits."
        {...number}
        {...form.input('sharePercent')}
      />
      <TextField
        label="Credits a day for one conversation"
        hint="Days begin at midnight UTC. A question and its answer usually cost one to five credits."
        {...number}
        {...form.input('conversationCredits')}
      />
      <TextField
        label="Credits a day for one visitor"
        hint="Visitors behind one network address count together, over all conversations and chatbots."
        {...number}
        {...form.input('visitorCredits')}
      />
      <TextField
        label="Credits a day for one chatbot"
        hint="You get an alert when a chatbot reaches it. Answers on your own keys count one credit for each thousand tokens."
        {...number}
        {...form.input('chatbotCredits')}
      />
    </SettingsForm>
  );
}

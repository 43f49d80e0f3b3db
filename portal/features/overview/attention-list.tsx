import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import type { Summary } from '../../queries/agency.ts';
import { splitHref } from '../../app/split-href.ts';
import { useUser } from '../../app/session.ts';
import { inboxCountsQuery } from '../../queries/inbox.ts';
import { inPlace, plural } from '../../ui/text/format.ts';

type Item = Summary['attention'][number];

const MARKS: Record<Item['kind'], MarkKind> = {
  agent_failing: 'bad',
  missing_key: 'warn',
  agent_silent: 'silent',
  setup_failed: 'bad',
  key_failing: 'bad',
  request_waiting: 'wait',
  account_request: 'wait',
  quota: 'warn',
  webhook_failing: 'bad',
  sso_certificate: 'warn',
  credential_unverified: 'warn',
  chatbot_failing: 'bad',
  chatbot_budget: 'warn',
  first_contacts: 'wait',
};

/** The time of the runs page that begins where the figures of today do; undefined for its own day, the reader's. */
export function dayOf(timezone: string): 'agency' | undefined {
  return inPlace(timezone) === '' ? undefined : 'agency';
}

type Props = {
  summary: Pick<Summary, 'attention' | 'hasMoreAttention' | 'today' | 'timezone'>;
  clientId: string | undefined;
  aside?: ReactNode;
};
type Found = { items: readonly Item[]; failedRuns: number; waiting: number; timezone: string; isKnown: boolean };

/** What needs attention, and how much it is: all that the list below the title names. */
export function AttentionSection({ summary: { attention: items, hasMoreAttention, today, timezone }, clientId, aside }: Props) {
  const { features } = useUser();
  const { data: inbox, isPending } = useQuery({ ...inboxCountsQuery(clientId), enabled: features.chatbot });
  const waiting = inbox?.waiting ?? 0;
  const failedRuns = items.some(({ kind }) => kind === 'agent_failing') ? 0 : today.failed;
  const count = items.length + (waiting > 0 ? 1 : 0) + (failedRuns > 0 ? 1 : 0);
  return (
    <Section title="Needs attention" note={count > 0 ? `${count}${hasMoreAttention ? '+' : ''}` : undefined} aside={aside}>
      <AttentionList
        items={items}
        failedRuns={failedRuns}
        waiting={waiting}
        timezone={timezone}
        isKnown={!features.chatbot || !isPending}
        clientId={clientId}
      />
    </Section>
  );
}

/** Items that need attention, each with its subject and one action: also what is known from the figures of the page and of the inbox. */
function AttentionList({ items, failedRuns, waiting, timezone, isKnown, clientId }: Found & Pick<Props, 'clientId'>) {
  const isEmpty = items.length === 0 && failedRuns === 0 && waiting === 0;
  // Nothing is claimed before both answers are there.
  if (isEmpty && !isKnown) return <div className="h-11 border-t border-line" />;
  if (isEmpty)
    return (
      <p className="flex items-center gap-2 border-t border-line py-3 text-ink-2">
        <Mark kind="ok" />
        Nothing needs your attention.
      </p>
    );
  return (
    <ul className="border-t border-line">
      {waiting > 0 ? (
        <Counted mark="warn" title={`${plural(waiting, 'visitor waits', 'visitors wait')} for a person`}>
          <Link to="/dashboard/inbox" search={{ show: 'waiting' }} className={buttonClass('default', 'sm')}>
            Open the inbox
          </Link>
        </Counted>
      ) : null}
      {failedRuns > 0 ? (
        <Counted mark="bad" title={`${plural(failedRuns, 'run')} failed today${inPlace(timezone)}`}>
          <Link
            to="/dashboard/runs"
            search={{ status: 'FAILED', started: dayOf(timezone), client: clientId }}
            className={buttonClass('default', 'sm')}
          >
            Open the runs
          </Link>
        </Counted>
      ) : null}
      {items.map((item) => (
        <li key={item.kind + item.href + item.title} className="flex items-center gap-3 border-b border-line-soft py-2.75">
          <Mark kind={MARKS[item.kind]} />
          <div className="min-w-0 flex-1">
            <p>
              <b className="font-figure">{item.title}</b>
              {item.subject ? <span className="text-ink-3"> · {item.subject}</span> : null}
            </p>
            <p className="text-ink-2">
              {/* Some services say no more than the title does. */}
              {item.detail === `${item.title}.` ? null : item.detail}
              {item.alert?.status === 'acknowledged' ? <span className="text-ink-3"> Acknowledged.</span> : null}
            </p>
          </div>
          <Link {...splitHref(item.href)} className={buttonClass('default', 'sm')}>
            {item.action}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Counted({ mark, title, children }: { mark: MarkKind; title: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 border-b border-line-soft py-2.75">
      <Mark kind={mark} />
      <b className="min-w-0 flex-1 font-figure">{title}</b>
      {children}
    </li>
  );
}

import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { readerTag, readerZone } from '../../ui/text/reader.ts';
import { useMessages } from '../../app/messages.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { asHeading, formatMinute, formatUtc, isSameDay } from '../../ui/text/format.ts';
import { dateFormat } from '../../ui/text/intl.ts';
import { runState } from '../../shared/labels.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { isYesterday } from './days.ts';
import type { Run } from './queries.ts';

const WORDS: Record<Run['status'], MessageKey> = {
  RUNNING: 'client.happeningNow',
  SUCCEEDED: 'client.wasDone',
  FAILED: 'client.wasFailed',
};

function wordOf(run: Run): MessageKey {
  if (run.tone === 'attention') return 'client.needsYou';
  return run.stopped ? 'client.wasStopped' : WORDS[run.status];
}

/** Executions as sentences, grouped under Now, Today, Yesterday and dates. */
export function Feed({ runs, agency, showAgent }: { runs: readonly Run[]; agency: string; showAgent?: boolean }) {
  const { t } = useMessages();
  let head: string | undefined;
  return (
    <ol>
      {runs.map((run) => {
        const next = run.status === 'RUNNING' ? t('client.now') : dayOf(run.startedAt, t);
        const isNew = next !== head;
        head = next;
        return (
          <Fragment key={run.id}>
            {isNew ? <li className="pt-4 pb-1 text-sm font-figure text-ink-3">{next}</li> : null}
            <li data-run={run.id} tabIndex={-1} className="flex gap-3 border-b border-line-soft py-2.5">
              <Mark kind={runState(run).mark} label={t(wordOf(run))} className="mt-1" />
              <div className="min-w-0 flex-1 text-pretty">
                <p>{run.summary}</p>
                {run.status === 'FAILED' ? (
                  <p className="text-md text-ink-3">
                    {run.error?.message} {t('client.seesDetails', { agency })}
                  </p>
                ) : null}
                {showAgent ? <p className="text-md text-ink-3">{run.agentName}</p> : null}
                {run.conversationId ? (
                  <Link
                    className="link text-md"
                    to="/client/inbox/$conversationId"
                    params={{ conversationId: run.conversationId }}
                    search={{}}
                  >
                    {t('client.openConversation')}
                  </Link>
                ) : null}
              </div>
              <time className="text-sm text-ink-3" dateTime={run.startedAt} title={formatUtc(run.startedAt)}>
                {formatMinute(run.startedAt)}
              </time>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

function dayOf(iso: string, t: Messages['t']): string {
  const now = new Date();
  const at = new Date(iso);
  if (isSameDay(at, now)) return t('client.today');
  if (isYesterday(at, now)) return t('client.yesterday');
  return asHeading(dateFormat(readerTag(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: readerZone() }).format(at));
}

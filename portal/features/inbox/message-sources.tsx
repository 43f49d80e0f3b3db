import './inbox.css';
import { Workflow } from 'lucide-react';
import type { RunTone } from '@partner-portal/contract/vocabulary.ts';
import { useMessages } from '../../app/messages.ts';
import { RUN_TONE } from '../../shared/labels.ts';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import type { Message } from '../../queries/inbox.ts';
import { RunLink } from './area.tsx';

const RUN_MARKS: Record<string, MarkKind> = { RUNNING: 'run', SUCCEEDED: 'ok', FAILED: 'bad' };

function markOf(status: string, tone: RunTone | null): MarkKind {
  return tone === null ? (RUN_MARKS[status] ?? 'none') : RUN_TONE[tone].mark;
}

/** Passages that a reply stands on, and the agents that ran for it. */
export function MessageSources({ message: { passages, runDetails } }: { message: Message }) {
  const { t } = useMessages();
  return (
    <>
      {runDetails.map((run) => (
        <p key={run.workflowId} className="inbox-run">
          {run.status === null ? <Workflow className="icon-small" aria-hidden /> : <Mark kind={markOf(run.status, run.tone)} size={12} />}
          <span className="min-w-0">
            <RunLink workflowId={run.workflowId} executionId={run.executionId}>
              {run.agentName}
            </RunLink>
            <span className="text-ink-3">
              {' '}
              {run.summary ||
                t(run.status === 'RUNNING' ? 'inbox.run-running' : run.executionId === null ? 'inbox.run-gone' : 'inbox.run-done')}
            </span>
          </span>
        </p>
      ))}
      {passages.length > 0 ? (
        <details className="inbox-passages">
          <summary>{t('inbox.sources', { count: passages.length })}</summary>
          <ul>
            {passages.map((passage, n) => (
              <li key={`${passage.documentId} ${n}`}>
                <b>{passage.title}</b>
                {passage.heading && passage.heading !== passage.title ? <span className="text-ink-3"> · {passage.heading}</span> : null}
                <p className="text-ink-2" dir="auto">
                  {passage.excerpt}
                </p>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

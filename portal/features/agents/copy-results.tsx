import { useEffect, useRef } from 'react';
import { explain } from '../../app/errors.ts';
import type { Agent, CopyResult } from '../../queries/agents.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Progress } from '../../ui/feedback/progress.tsx';
import { DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import type { Sending } from './use-copy-sending.ts';
import './copy-agent.css';

type Props = { agents: readonly Agent[]; sending: Sending; onClose: () => void; onRequests: () => void };

/** What becomes of the copies while and after they are requested: one result for each agent and client. */
export function CopyResults({ agents, sending, onClose, onRequests }: Props) {
  const { calls, isBusy, retry, forget } = sending;
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const sizeOf = (some: Sending['calls']): number => some.reduce((sum, { clientIds }) => sum + clientIds.length, 0);
  const total = sizeOf(calls);
  const settled = calls.filter(({ results }) => results !== undefined);
  const failed = isBusy ? [] : calls.filter(({ error }) => error !== undefined);
  const results = settled.flatMap((call) => call.results ?? []);
  const made = results.filter(({ result }) => result === 'submitted').length;
  return (
    <div className="grid grid-cols-1 gap-4 pt-1">
      <p ref={heading} tabIndex={-1} role="status" className="outline-0">
        {isBusy
          ? `Requesting ${plural(total, 'copy', 'copies')}`
          : `${plural(made, 'request')} submitted${results.length > made ? `, ${formatNumber(results.length - made)} not needed or not possible` : ''}.`}
      </p>
      {isBusy ? (
        <Progress label="Requesting the copies" percent={Math.floor((sizeOf(settled) / total) * 100)}>
          {`Requested ${formatNumber(sizeOf(settled))} of ${formatNumber(total)}`}
        </Progress>
      ) : null}
      {failed.length > 0 ? (
        <Note
          tone="bad"
          alert
          action={
            <Button size="sm" onClick={retry}>
              Send them again
            </Button>
          }
        >
          <b>{plural(sizeOf(failed), 'copy was', 'copies were')} not requested.</b> {explain(failed[0]?.error).title}
        </Note>
      ) : null}
      {results.length > 0 ? (
        <section aria-label="Result of each copy" className="copy-agent-targets" tabIndex={0}>
          {agents.map((agent) => (
            <OfAgent
              key={agent.id}
              name={agent.name}
              results={settled.flatMap((call) => (call.agentId === agent.id ? (call.results ?? []) : []))}
            />
          ))}
        </section>
      ) : null}
      <DialogActions>
        {!isBusy && results.length === 0 ? <Button onClick={forget}>Back</Button> : null}
        <Button inactive={isBusy} onClick={onClose}>
          Close
        </Button>
        <Button kind="primary" inactive={isBusy} busy={isBusy && 'Requesting'} onClick={onRequests}>
          Open the requests
        </Button>
      </DialogActions>
    </div>
  );
}

const WORDS: Record<CopyResult['result'], { mark: MarkKind; word: string }> = {
  submitted: { mark: 'ok', word: 'Requested' },
  requested: { mark: 'wait', word: 'Already requested' },
  has_agent: { mark: 'skip', word: 'Already has this agent' },
  not_allowed: { mark: 'pause', word: 'Suspended or archived' },
};

function OfAgent({ name, results }: { name: string; results: readonly CopyResult[] }) {
  if (results.length === 0) return null;
  return (
    <>
      <h3 className="copy-agent-head">
        {name}
        <span>{plural(results.length, 'client')}</span>
      </h3>
      <ul>
        {results.map((one) => (
          <li key={one.clientId} className="flex flex-wrap items-center gap-x-3">
            <b className="min-w-0 flex-1 truncate font-medium">{one.clientName}</b>
            <Status mark={WORDS[one.result].mark}>{WORDS[one.result].word}</Status>
          </li>
        ))}
      </ul>
    </>
  );
}

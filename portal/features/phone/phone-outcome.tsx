import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLive } from '../../app/use-live.ts';
import type { Agent, STOP_SETTINGS } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type RunDetail, runDetailQuery } from '../../queries/runs.ts';
import { costSentence } from '../../shared/run-cost.ts';
import { RUN_WAITS_FOR } from '../../shared/labels.ts';
import { recordOf, RepairLink, repairOf } from '../../shared/run-repair.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PhoneLayout } from './phone-layout.tsx';
import { DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatPhone } from '../../ui/text/format.ts';

type Props = {
  agent: Agent;
  id: string;
  to: string;
  isSandbox: boolean;
  onAgain: () => void;
  onClose: () => void;
  /** The text in the frame of a phone. */
  phone: ReactNode;
};

/** The run of a text to one's own phone until it has ended: sent, or why not and where that is changed. */
export function PhoneOutcome({ agent, id, to, isSandbox, onAgain, onClose, phone }: Props) {
  const { data: run } = useQuery(runDetailQuery(id));
  const part = useRef<HTMLDivElement>(null);
  const hasEnded = run !== undefined && run.status !== 'RUNNING';
  useLive({
    path: hasEnded ? undefined : `/executions/stream?workflowId=${agent.id}`,
    onEvent: ({ data }) => {
      if (data.includes(id)) void refreshAfter('runChanged', id);
    },
    onCatchUp: () => void refreshAfter('runChanged', id),
    pollMs: 3_000,
  });
  // The form that had the focus is gone.
  useEffect(() => part.current?.focus(), []);
  useEffect(() => {
    if (hasEnded) void refreshAfter('runReported');
  }, [hasEnded]);
  const isSent = hasEnded && isTextSent(run);
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      <PhoneLayout
        phone={phone}
        actions={
          <DialogActions>
            <Link to="/dashboard/runs/$id" params={{ id }} className={buttonClass('quiet')} onClick={onClose}>
              Open run
            </Link>
            {hasEnded && !isSent ? <Button onClick={onAgain}>Change the number</Button> : null}
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        }
      >
        <div role="status">
          {hasEnded ? <Ended run={run} to={to} isSandbox={isSandbox} onClose={onClose} /> : <Under run={run} to={to} />}
        </div>
      </PhoneLayout>
    </div>
  );
}

/** What Twilio was sent, once the run says so, and until then what it would be sent; empty when no text was sent. Whether a failed run sent it may not be known. */
export function useSentText(id: string, planned: string): { text: string; isKnown: boolean } {
  const { data: run } = useQuery(runDetailQuery(id));
  if (run?.status === 'SUCCEEDED' && !isTextSent(run)) return { text: '', isKnown: true };
  const texts = run?.steps.map(({ input }) => recordOf(recordOf(input)['body'])['Body']) ?? [];
  const text = texts.find((one): one is string => typeof one === 'string' && one !== '') ?? planned;
  return { text, isKnown: run?.status !== 'FAILED' };
}

/** Whether the run did what it is for; one that left its person out because they cannot be texted did not. */
function isTextSent(run: RunDetail): boolean {
  return run.status === 'SUCCEEDED' && run.tone === 'good' && !run.stopped && recordOf(run.output ?? undefined)['notTexted'] === undefined;
}

function Under({ run, to }: { run: RunDetail | undefined; to: string }) {
  return (
    <Note tone="live" isRunning>
      <b>{run?.waitsFor ? `${RUN_WAITS_FOR[run.waitsFor]}.` : 'Sending.'}</b> The run for {formatPhone(to)} is under way. You can close
      this; the run goes on.
    </Note>
  );
}

type EndedProps = Pick<Props, 'to' | 'isSandbox' | 'onClose'> & { run: RunDetail };

function Ended({ run, to, isSandbox, onClose }: EndedProps) {
  const cost = costSentence(run.creditsCharged);
  if (isTextSent(run))
    return (
      <Note tone="ok">
        {isSandbox ? (
          <>
            <b>Sent, to the sandbox.</b> No text left this machine. This is what {formatPhone(to)} would have got.
          </>
        ) : (
          <>
            <b>Sent.</b> Twilio accepted the text for {formatPhone(to)}.
          </>
        )}{' '}
        {cost}
      </Note>
    );
  if (run.status === 'FAILED') {
    const repair = repairOf(run);
    return (
      <Note tone="bad" action={<RepairLink run={run} repair={repair} />}>
        <b>{sentence(run.error?.message ?? 'The run failed')}</b> {repair.fix} {cost}
      </Note>
    );
  }
  const output = recordOf(run.output ?? undefined);
  const cause = 'message' in output ? output : recordOf(output['notTexted']);
  return (
    <Note tone="warn" action={<StopLink run={run} reason={String(cause['reason'] ?? '')} onClose={onClose} />}>
      <b>No text was sent.</b> {sentence(typeof cause['message'] === 'string' ? cause['message'] : run.summary)} {cost}
    </Note>
  );
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The setting of the agent to change, by the reason that stopped a text. */
const SETTINGS: Readonly<Record<string, { word: string; key: (typeof STOP_SETTINGS)[number] }>> = {
  quiet_hours: { word: 'Change the quiet hours', key: 'quietHours' },
  recently_contacted: { word: 'Change how often it texts', key: 'repeatAfterHours' },
  no_way_to_reach: { word: 'Check the sender number', key: 'fromNumber' },
};

/** The page on which that which stopped a text is changed. */
function StopLink({ run, reason, onClose }: { run: RunDetail; reason: string; onClose: () => void }): ReactNode {
  const look = { className: buttonClass('default', 'sm'), onClick: onClose };
  const setting = SETTINGS[reason];
  if (setting !== undefined)
    return (
      <Link to="/dashboard/agents/$id" params={{ id: run.workflowId }} search={{ field: setting.key }} {...look}>
        {setting.word}
      </Link>
    );
  const tab = ({ on_stop_list: 'stop-list', opted_out: 'stop-list', country_not_allowed: 'settings' } as const)[reason];
  if (tab === undefined || run.clientId === null) return null;
  return (
    <Link to="/dashboard/clients/$id" params={{ id: run.clientId }} search={{ tab }} {...look}>
      {tab === 'stop-list' ? 'Open the stop list' : 'Change the countries'}
    </Link>
  );
}

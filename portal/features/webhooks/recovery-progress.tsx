import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { formatToMinute, formatNumber, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Endpoint, recoveriesQuery, type Recovery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Progress of the running recovery with a stop button, and the result of one that just ended. */
export function RecoveryProgress({ endpoint }: { endpoint: Endpoint }) {
  const { data } = useQuery(recoveriesQuery(endpoint.id));
  const [seen, setSeen] = useState<string>();
  const newest = data?.[0];
  if (newest?.status === 'running' && seen !== newest.id) setSeen(newest.id);
  if (!newest || (newest.status !== 'running' && newest.id !== seen)) return null;
  return newest.status === 'running' ? <Running recovery={newest} /> : <Ended recovery={newest} />;
}

function Running({ recovery }: { recovery: Recovery }) {
  const refusal = useRefusal('webhooks.manage');
  const { id: recoveryId, endpointId: id, total, delivered, failed } = recovery;
  const cancel = useMutation({
    mutationFn: () => api.cancelRecovery({ params: { id, recoveryId } }),
    onSuccess: () => announce('Recovery stopped.', { detail: 'Events not sent yet stay unsent.' }),
    onError: (error) => announceError(error),
    onSettled: () => {
      void refreshAfter('recoveryChanged', id);
    },
  });
  const ended = delivered + failed;
  return (
    <Note
      tone="live"
      isRunning
      action={
        <Button size="sm" disabledReason={refusal} busy={cancel.isPending && 'Stopping'} onClick={() => cancel.mutate()}>
          Stop
        </Button>
      }
    >
      <p className="tabular-nums">
        <b>
          Recovering: {formatNumber(ended)} of {plural(total, 'event')} sent again
        </b>
        {failed > 0 ? <span className="text-bad">, {formatNumber(failed)} failed again</span> : null}
      </p>
      <div className="my-1.5">
        <Meter used={ended === total ? ended - 0.001 : ended} limit={total} small label="Events sent again" />
      </div>
      <p className="tabular-nums text-xs text-ink-2">
        From {formatToMinute(recovery.since)} to {formatToMinute(recovery.until)}, beginning with the oldest.
      </p>
    </Note>
  );
}

function Ended({ recovery }: { recovery: Recovery }) {
  const { status, delivered, failed, total } = recovery;
  if (status === 'cancelled')
    return (
      <Note tone="warn">
        Recovery stopped: {formatNumber(delivered)} of {plural(total, 'event')} arrived. Recover the same period to send the rest.
      </Note>
    );
  return failed > 0 ? (
    <Note tone="bad">
      Recovery ended: {formatNumber(delivered)} of {plural(total, 'event')} arrived, {formatNumber(failed)} failed again. Fix the receiver,
      then recover the same period again.
    </Note>
  ) : (
    <Note tone="ok">Recovery ended: all of {plural(total, 'event')} arrived.</Note>
  );
}

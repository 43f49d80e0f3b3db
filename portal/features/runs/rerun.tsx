import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { explain } from '../../app/errors.ts';
import { formatDay, formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions, holdFocus } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce, announceFailure } from '../../ui/feedback/toast.tsx';
import { KEY_CALLS } from '../../shared/run-cost.ts';
import { announceError } from '../../shared/announce-error.ts';
import { isRefusal, useSend } from '../../shared/use-send.ts';
import type { FailureCause, Run } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type RerunFailedProps = {
  causes: readonly FailureCause[];
  from: string;
  /** The error code of all causes, when only its runs are to be repeated. */
  cause?: string | undefined;
  label?: string;
};

/** Reruns all failed executions of the shown causes, agent by agent, after confirmation. */
export function RerunFailed({ causes, from, cause, label = 'Rerun failed' }: RerunFailedProps) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('runs.rerun');
  const agents = [...new Set(causes.flatMap((cause) => cause.workflowId ?? []))];
  const counts = agents.map((id) => causes.filter((cause) => cause.workflowId === id).reduce((sum, cause) => sum + cause.notRerun, 0));
  const failed = counts.reduce((sum, one) => sum + one, 0);
  const count = counts.reduce((sum, one) => sum + Math.min(one, LIMITS.bulkRerunMax), 0);
  const rerun = useMutation({
    mutationFn: async () => {
      const to = new Date().toISOString();
      // One agent's refusal says nothing about the runs of the others, which start.
      return Promise.allSettled(
        agents.map((workflowId) =>
          api.rerunFailed({ body: { workflowId, status: 'FAILED', from, to, ...(cause === undefined ? {} : { cause }) } }),
        ),
      );
    },
    onSuccess: (answers) => {
      setOpen(false);
      void refreshAfter('runStarted');
      const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.count] : []));
      const started = taken.reduce((sum, one) => sum + one, 0);
      const failures = answers.flatMap((answer, at) =>
        answer.status === 'rejected' ? [{ agent: agents[at], error: answer.reason as unknown }] : [],
      );
      if (started > 0) announce(`Rerunning ${plural(started, 'run')}.`);
      else if (failures.length === 0) announce('These runs were already rerun. None started.');
      const nameOf = (id: string | undefined): string => causes.find((one) => one.workflowId === id)?.agentName ?? 'an agent';
      announceFailures(failures.map(({ agent, error }) => ({ name: nameOf(agent), error })));
    },
  });
  const open = causes.filter(({ workflowId, notRerun }) => workflowId !== null && notRerun > 0);
  const names = [...new Set(open.map(({ agentName }) => agentName ?? 'a removed agent'))];
  const clients = [...new Set(open.flatMap((one) => one.clients))];
  const unable =
    agents.length === 0 ? 'Open one of these runs to rerun it.' : failed === 0 ? 'All of these runs were run again.' : undefined;
  const reason = refusal ?? unable;
  return (
    <>
      <Button size="sm" icon={<RotateCw aria-hidden />} disabledReason={reason} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Rerun ${plural(count, 'failed run')}?`}>
        <p className="text-ink-2">
          <b>{plural(count, 'run')}</b> of <b>{plural(agents.length, 'agent')}</b> ({listed(names)})
          {clients.length > 0 ? `, for ${listed(clients)},` : null} {count === 1 ? 'starts' : 'start'} again with the same input and may
          send real messages. A run that fails costs nothing; {KEY_CALLS}.{' '}
          {count < failed ? `They are the oldest ${LIMITS.bulkRerunMax} of an agent; rerun the rest afterwards. ` : ''}Runs that were run
          again since, or whose input is no longer kept, are left out.
        </p>
        <OldestDay at={Date.now() - oldestDaysAgo(open) * DAY_MS} isCertain={open.every((one) => one.notRerun === one.count)} />
        <DialogActions>
          <Button autoFocus onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button kind="primary" busy={rerun.isPending && 'Starting'} onClick={() => rerun.mutate()}>
            Rerun failed
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

const DAY_MS = 86_400_000;

/** How many days ago the oldest of these failures was; 0 when all are of today. */
function oldestDaysAgo(causes: readonly FailureCause[]): number {
  return causes.reduce((most, { byDay }) => {
    const at = byDay.findIndex((failures) => failures > 0);
    return at < 0 ? most : Math.max(most, byDay.length - 1 - at);
  }, 0);
}

/** Says how late the messages of a rerun are when the oldest is of another day. `isCertain`: none of the runs that were counted was run again. */
function OldestDay({ at, isCertain }: { at: number; isCertain: boolean }) {
  const day = formatDay(new Date(at).toISOString());
  if (day === formatDay(new Date().toISOString())) return null;
  return (
    <div className="mt-3">
      <Note tone="warn">
        <b>
          The oldest {isCertain ? 'is' : 'may be'} from {day}.
        </b>{' '}
        The people that these runs are about get the message now.
      </Note>
    </div>
  );
}

const NAMES_MAX = 3;

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return more > 0 ? joinWords([...names.slice(0, NAMES_MAX), `${formatNumber(more)} more`]) : joinWords(names);
}

/** Says of the agents whose runs did not start why not, those with the same reason together. */
function announceFailures(failures: readonly { name: string; error: unknown }[]): void {
  for (const [title, group] of Map.groupBy(failures, ({ error }) => explain(error).title)) {
    const names = joinWords(group.map(({ name }) => name));
    const error = group[0]?.error;
    const { detail, requestId } = explain(error);
    announceFailure({
      title: isRefusal(error) ? `The runs of ${names} did not start.` : `It is not known whether the runs of ${names} started.`,
      detail: `${title} ${detail}`.trim(),
      requestId,
      retry: undefined,
    });
  }
}

/** Reruns the selected rows after confirmation, one request each. Skips those still running. */
export function RerunSelected({ runs, onDone }: { runs: readonly Run[]; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('runs.rerun');
  const ended = runs.filter((run) => run.status !== 'RUNNING');
  const succeeded = ended.filter((run) => run.status === 'SUCCEEDED').length;
  const oldest = Math.min(Date.now(), ...ended.map(({ startedAt }) => Date.parse(startedAt)));
  const failed = new Set(ended.filter((run) => run.status === 'FAILED').map(({ id }) => id));
  const rerun = useSend({
    call: async (ids: readonly string[], key) => {
      const answers = await Promise.allSettled(
        // The dialog says of those that succeeded that people get the same message twice.
        ids.map((id) => api.rerunExecution({ params: { id }, headers: { 'idempotency-key': key }, body: { unlessRerun: failed.has(id) } })),
      );
      // It may have started: with the same key, trying again starts none of them twice.
      const unknown = answers.find((answer) => answer.status === 'rejected' && !isRefusal(answer.reason));
      if (unknown?.status === 'rejected') throw unknown.reason;
      return answers;
    },
    onSent: (answers) => {
      setOpen(false);
      const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const left = taken.filter(({ wasRerun }) => wasRerun).length;
      const refused = answers.find((answer) => answer.status === 'rejected');
      if (taken.length > 0) announce(restartedText(taken.length - left, left));
      if (refused) announceError(refused.reason);
      onDone();
    },
  });
  return (
    <span className="inline-flex items-center gap-2">
      <Button
        size="sm"
        icon={<RotateCw aria-hidden />}
        disabledReason={refusal ?? (ended.length === 0 ? 'These runs have not ended yet.' : undefined)}
        onClick={() => setOpen(true)}
      >
        Rerun {runs.length}
      </Button>
      <Button size="sm" kind="quiet" onClick={onDone}>
        Clear
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Rerun ${plural(ended.length, 'run')}?`}>
        <p className="text-ink-2">
          {ended.length === 1 ? 'It starts' : 'They start'} again with the same input and may send real messages.{' '}
          {succeeded > 0 ? (
            <>
              <b>{plural(succeeded, 'run')} succeeded before:</b> the people in {succeeded === 1 ? 'it' : 'them'} get the same message
              twice.{' '}
            </>
          ) : null}
          {failed.size > 0 ? 'Failed runs that were run again since are left out.' : null}
        </p>
        <OldestDay at={oldest} isCertain />
        <DialogActions>
          <Button ref={holdFocus} onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button kind="primary" busy={rerun.isSending && 'Starting'} onClick={() => rerun.send(ended.map(({ id }) => id))}>
            Rerun
          </Button>
        </DialogActions>
      </Dialog>
    </span>
  );
}

/** "6 runs restarted. 4 had already been run again or had succeeded." Those may be of a try whose answer was lost. */
function restartedText(started: number, left: number): string {
  const text = started === 0 ? 'None restarted.' : `${plural(started, 'run')} restarted.`;
  if (left === 0) return text;
  return `${text} ${left} had already been run again or had succeeded.`;
}

import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useUser } from '../../app/session.ts';
import type { Summary } from '../../queries/agency.ts';
import { buttonClass, IconButton } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { usePreference } from '../../ui/hooks/use-preference.ts';

/** Whether the agency has no run yet but samples, and has not hidden its first steps: the figures of its overview would all be zero. */
export function isBeforeFirstRun({ checklist, checklistDismissedAt, sampleDataEndsAt }: Summary): boolean {
  const event = checklist.find(({ key }) => key === 'event');
  return event !== undefined && !event.done && checklistDismissedAt === null && sampleDataEndsAt === null;
}

/** The first run that was no sample and succeeded, for a person who waited for it on this device; shown until they close it or open the run. */
export function FirstRunNote({ summary }: { summary: Summary }) {
  const { partner } = useUser();
  const [state, setState] = usePreference<'' | 'waiting' | 'seen'>(`first-run.${partner.id}`, '');
  const isWaiting = isBeforeFirstRun(summary);
  useEffect(() => {
    if (isWaiting && state === '') setState('waiting');
  }, [isWaiting, state, setState]);
  const run = summary.latestRuns.findLast(({ source, status }) => source !== 'test' && status === 'SUCCEEDED');
  if (isWaiting || state !== 'waiting' || !run) return null;
  const close = (): void => setState('seen');
  return (
    <div role="status" className="mb-4">
      <Note
        tone="ok"
        action={
          <span className="flex items-center gap-2">
            <Link to="/dashboard/runs/$id" params={{ id: run.id }} className={buttonClass('default', 'sm')} onClick={close}>
              Open run
            </Link>
            <IconButton size="sm" label="Close" onClick={close}>
              <X aria-hidden />
            </IconButton>
          </span>
        }
      >
        <b>Your first run.</b> {run.clientName ? `${run.agentName} worked for ${run.clientName}.` : `${run.agentName} worked.`}
      </Note>
    </div>
  );
}

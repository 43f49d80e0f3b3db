import { shownSetupError } from '@partner-portal/core/provisioning/missing-credential.ts';
import { type AgentRequest, REQUEST_STATUS } from '../../queries/agent-requests.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Time } from '../../ui/text/time.tsx';

type Entry = AgentRequest['timeline'][number];

/** History of a request: each status change with actor, time and note. `staff` is the label for staff. */
export function RequestTimeline({ entries, staff }: { entries: readonly Entry[]; staff: string }) {
  return (
    <ol className="border-t border-line">
      {entries.map((entry, at) => (
        <li key={at} className="flex gap-3 border-b border-line-soft py-2">
          <Mark
            kind={REQUEST_STATUS[entry.to].mark === 'run' && at < entries.length - 1 ? 'ok' : REQUEST_STATUS[entry.to].mark}
            className="mt-1"
          />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap gap-x-2">
              <span className="font-medium">{WORDS[entry.to]}</span>
              <span className="text-ink-3">{entry.actor.name ?? (entry.actor.type === 'staff' ? staff : '')}</span>
            </p>
            {entry.note ? <p className="whitespace-pre-wrap text-ink-2">{shownSetupError(entry.note)}</p> : null}
          </div>
          <Time iso={entry.at} className="tabular-nums text-xs text-ink-3" />
        </li>
      ))}
    </ol>
  );
}

const WORDS: Record<Entry['to'], string> = {
  suggested: 'Suggested',
  submitted: 'Submitted',
  approved: 'Approved',
  provisioning: 'Installation started',
  provisioning_failed: 'Installation stopped',
  fulfilled: 'Installed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  declined: 'Declined',
};

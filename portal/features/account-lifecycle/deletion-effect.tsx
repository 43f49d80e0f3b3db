import { useUser } from '../../app/session.ts';
import type { DeletionPreview } from '../../queries/account.ts';
import { formatLongDay } from '../../ui/text/format.ts';
import { removedText, runningText } from './words.ts';

/** What a deletion means, in counts: what stops, and what is removed on which day. */
export function DeletionEffect({ preview, when }: { preview: DeletionPreview; when: 'now' | 'on_approval' }) {
  const isClient = useUser().role === 'CLIENT';
  const { runningAgents, purgeAfter } = preview;
  const moment = when === 'now' ? 'now' : 'as soon as the request is approved';
  const day = formatLongDay(purgeAfter);
  const removed = removedText(preview);
  return (
    <div className="grid gap-2 text-ink-2">
      <p>
        {runningAgents === 0 ? (
          <>No agent is running.</>
        ) : (
          <>
            <b className="text-ink">{runningText(preview)}</b> {runningAgents === 1 ? 'stops' : 'stop'} {moment}.
          </>
        )}{' '}
        <b className="text-ink">
          {when === 'now' ? 'Everything' : 'If it is approved today, everything'} is removed on {day}
        </b>
        {removed ? `: ${removed}` : ''}. Until then it can be brought back as it was.
      </p>
      <p>
        {isClient
          ? 'After that, no one can restore it. Export your data first.'
          : 'After that, no one can restore it. Issued invoices are kept. Export the data first.'}
      </p>
    </div>
  );
}

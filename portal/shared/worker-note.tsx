import type { Reply } from '../app/api.ts';
import { Note } from '../ui/feedback/note.tsx';
import { Time } from '../ui/text/time.tsx';

/** Shown while no process of the service takes jobs: everything but accepting events waits. */
export function WorkerNote({ workers: { isSilent, seenAt } }: { workers: Reply<'getSystem'>['workers'] }) {
  if (!isSilent) return null;
  return (
    <div className="mb-5">
      <Note tone="bad">
        <p>
          <b>No worker is running.</b> The last one was seen <Time iso={seenAt} />. Events are accepted and wait, and so do webhooks, mail,
          alerts and setups. Start a process with <code>ROLE=worker</code> or <code>ROLE=all</code>.
        </p>
      </Note>
    </div>
  );
}

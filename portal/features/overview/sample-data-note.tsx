import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useIsViewing, useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { formatToMinute, plural } from '../../ui/text/format.ts';

/** Says that what happened until `endsAt` is sample data, and lets an admin remove it. */
export function SampleDataNote({ endsAt }: { endsAt: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('sample-data.remove');
  const isViewing = useIsViewing();
  const remove = useMutation({
    mutationFn: () => api.removeSampleData(),
    onSuccess: ({ runs, conversations }) => {
      setOpen(false);
      announce(`${plural(runs, 'sample run')} and ${plural(conversations, 'sample conversation')} removed.`);
      void refreshAfter('sampleDataRemoved');
    },
    onError: (error) => {
      setOpen(false);
      announceError(error);
      void refreshAfter('sampleDataRemoved');
    },
  });
  if (endsAt === null) return null;
  const end = formatToMinute(endsAt);
  return (
    <section className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2" aria-label="Sample data">
      <Badge>Sample data</Badge>
      <p className="min-w-0 flex-[1_1_18rem]">
        Everything until {end} is a made-up past. What happens since then is real and appears next to it.
      </p>
      {isViewing ? null : (
        <Button size="sm" kind="quiet" disabledReason={refusal} onClick={() => setOpen(true)}>
          Remove sample data
        </Button>
      )}
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Remove the sample data?"
        action="Remove"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <p>
          This removes <b>all runs, conversations and usage until {end}</b>, with replies written to these conversations since. It cannot be
          undone.
        </p>
        <p className="mt-2">Clients, agents, keys, your team, invoices and everything that happened since then stay.</p>
      </ConfirmDialog>
    </section>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

export type TakeDown = 'recreate' | 'deprovision';

type Props = {
  mode: TakeDown | undefined;
  partnerId: string;
  partnerName: string;
  slug: string;
  instance: Pick<Reply<'getAutomation'>, 'installedCount' | 'installedClientCount'>;
  onClose: () => void;
  onStarted: () => void;
};

/** Confirms a deprovision or recreate by slug and lists what is deleted. Starts the attempt. */
export function TakeDownDialog({ mode, partnerId, partnerName, slug, instance, onClose, onStarted }: Props) {
  const start = useMutation({
    mutationFn: (chosen: TakeDown) => {
      const headers = { prefer: 'respond-async' };
      const params = { id: partnerId };
      return chosen === 'recreate'
        ? api.reprovision({ params, body: { mode: 'recreate' }, headers })
        : api.deprovision({ params, query: { confirm: slug }, headers });
    },
    onSuccess: () => {
      void refreshAfter('automationChanged', partnerId);
      onStarted();
    },
  });
  const { reset } = start;
  useEffect(() => reset(), [mode, reset]);
  if (!mode) return null;
  const isRecreate = mode === 'recreate';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${isRecreate ? 'Recreate' : 'Deprovision'} ${partnerName}?`}
      typed={slug}
      action={isRecreate ? 'Recreate' : 'Deprovision'}
      keep="Keep it running"
      busy={start.isPending && 'Starting'}
      onConfirm={() => start.mutate(mode)}
    >
      {start.error ? (
        <div className="mb-3">
          <ErrorBlock error={start.error} />
        </div>
      ) : null}
      <Effect isRecreate={isRecreate} instance={instance} />
    </ConfirmDialog>
  );
}

function Effect({ isRecreate, instance }: { isRecreate: boolean; instance: Props['instance'] }) {
  const { installedCount: installed, installedClientCount: clients } = instance;
  if (installed === 0) return <p>No agents are installed. Anything an earlier attempt left in the engine is deleted.</p>;
  const who = (
    <b className="text-ink">
      {plural(installed, 'agent')}
      {clients > 0 ? ` of ${plural(clients, 'client')}` : ''}
    </b>
  );
  const verb = installed === 1 ? 'stops' : 'stop';
  return isRecreate ? (
    <p>
      {who} {verb} while the flows are deleted and rebuilt. Events may be refused in the meantime, and runs in progress are interrupted.
      Ingest URLs, settings, runs and keys stay.
    </p>
  ) : (
    <p>
      {who} {verb} immediately and the flows are deleted. Ingest URLs, settings, runs and keys stay. This cannot be undone.
    </p>
  );
}

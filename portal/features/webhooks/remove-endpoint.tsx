import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { hostOf, plural } from '../../ui/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Endpoint, dropEndpoint } from './queries.ts';

/** Removes an endpoint permanently; the user confirms by typing its host. */
export function RemoveEndpoint({ endpoint, onClose, onRemoved }: { endpoint: Endpoint; onClose: () => void; onRemoved: () => void }) {
  const waiting = endpoint.recent.filter((status) => status === 'pending').length;
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ params: { id: endpoint.id } }),
    onSuccess: () => {
      announce('Endpoint removed.');
      dropEndpoint(endpoint.id);
      onRemoved();
    },
    onError: (error) => announceError(error),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Remove this endpoint?"
      typed={hostOf(endpoint.url)}
      action="Remove endpoint"
      busy={remove.isPending && 'Removing'}
      onConfirm={() => remove.mutate()}
    >
      <p className="break-all">
        <code>{endpoint.url}</code>
      </p>
      <p className="mt-2">
        {waiting > 0 ? (
          <>
            <b className="text-ink">{plural(waiting, 'waiting event')}</b> will not be sent.{' '}
          </>
        ) : (
          'It gets no new events. '
        )}
        Its signing secret and its log of <b className="text-ink">{plural(endpoint.recent.length, 'delivery', 'deliveries')}</b> are gone
        too. This cannot be undone. To stop temporarily, pause it instead.
      </p>
    </ConfirmDialog>
  );
}

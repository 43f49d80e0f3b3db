import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Endpoint, putEndpoint } from './queries.ts';
import { PAUSED_EVENTS, shortUrl } from './labels.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Pauses or resumes an endpoint immediately, with Undo. Events are kept while it is paused. */
export function EndpointSwitch({ endpoint }: { endpoint: Endpoint }) {
  const refusal = useRefusal('webhooks.manage');
  const set = useMutation({
    mutationFn: (isActive: boolean) => api.updateWebhook({ params: { id: endpoint.id }, body: { isActive } }),
    onSuccess: putEndpoint,
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('endpointsChanged'),
  });
  const waiting = endpoint.recent.filter((status) => status === 'pending').length;
  const change = (isActive: boolean): void =>
    set.mutate(isActive, {
      onSuccess: () =>
        announce(isActive ? 'Endpoint is on.' : 'Endpoint paused.', {
          detail: isActive
            ? 'New events are sent. Recover missed events from its log.'
            : waiting > 0
              ? `${plural(waiting, 'waiting event')} ${waiting === 1 ? 'was' : 'were'} marked as failed. ${PAUSED_EVENTS}`
              : PAUSED_EVENTS,
          undo: () => set.mutate(!isActive),
        }),
    });
  return (
    <Switch
      checked={set.isPending ? set.variables : endpoint.isActive}
      onChange={change}
      label={`Send to ${shortUrl(endpoint.url)}`}
      disabledReason={refusal}
    />
  );
}

/** Returns why a test or redelivery cannot be sent now. */
export function useSendRefusal(endpoint: Pick<Endpoint, 'isActive'> | undefined): string | undefined {
  const refusal = useRefusal('webhooks.manage');
  return refusal ?? (endpoint && !endpoint.isActive ? 'This endpoint is paused. Switch it on first.' : undefined);
}

/** Sends a test event through the normal queue; `onSent` receives the delivery ID. */
export function useTestEvent(onSent: (deliveryId: string) => void) {
  return useMutation({
    mutationFn: (id: string) => api.testWebhook({ params: { id } }),
    onSuccess: ({ deliveryId }) => onSent(deliveryId),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('endpointsChanged'),
  });
}

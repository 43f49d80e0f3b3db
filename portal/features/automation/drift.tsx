import { useMutation } from '@tanstack/react-query';
import { api, queryClient, type Reply } from '../../lib/client.ts';
import { formatMoment, plural } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { announce, announceError } from '../../ui/toast.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { instanceQuery } from './queries.ts';

type Instance = Reply<'getAutomation'>;
type Drift = NonNullable<Instance['workflows'][number]['drift']>;

/** Says that a flow in the engine is not what its template says; nothing where it is. */
export function DriftBadge({ drift }: { drift: Drift | null }) {
  if (!drift || drift.state === 'none') return null;
  const found = drift.differences.map(({ step, what }) => `${step} ${what}`).join('; ');
  const told = `Seen ${formatMoment(drift.checkedAt)}${found ? `: ${found}` : ''}. Repair mends it.`;
  return (
    <Tooltip text={told}>
      <span tabIndex={0}>
        <Badge mark="warn">{drift.state === 'missing' ? 'Gone from the engine' : 'Changed in the engine'}</Badge>
      </span>
    </Tooltip>
  );
}

/** Holds every installed flow against its template, now instead of tonight. */
export function VerifyButton({ instance }: { instance: Instance }) {
  const { partnerId, status, workflows } = instance;
  const verify = useMutation({
    mutationFn: () => api.verifyAutomation({ params: { id: partnerId } }),
    onSuccess: (record) => {
      queryClient.setQueryData(instanceQuery(partnerId).queryKey, record);
      const drifted = record.workflows.filter((row) => row.drift !== null && row.drift.state !== 'none').length;
      announce(
        drifted === 0
          ? 'Every installed flow is as its template says.'
          : `${plural(drifted, 'flow')} not as the template says. Repair mends that.`,
      );
    },
    onError: (error) => announceError(error),
  });
  const isHeld = status === 'provisioning' || status === 'deprovisioning';
  if (!workflows.some((row) => row.providerFlowId !== null)) return null;
  return (
    <Button
      size="sm"
      busy={verify.isPending && 'Comparing'}
      disabledReason={isHeld ? 'An attempt is running.' : undefined}
      onClick={() => verify.mutate()}
    >
      Compare flows
    </Button>
  );
}

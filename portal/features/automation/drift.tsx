import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { useMutation } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatToMinute, plural } from '../../ui/text/format.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { instanceQuery } from './queries.ts';

type Instance = Reply<'getAutomation'>;
type Drift = NonNullable<Instance['workflows'][number]['drift']>;

const DRIFT_LABELS = {
  missing: 'Gone from the engine',
  changed: 'Changed in the engine',
  unchecked: 'Could not be checked',
} as const;

/** Badge for a flow that differs from its template; renders nothing without drift. */
export function DriftBadge({ drift }: { drift: Drift | null }) {
  if (!drift || drift.state === 'none') return null;
  const found = drift.differences.map(({ step, what }) => `${step} ${what}`).join('; ');
  const seen = `Seen ${formatToMinute(drift.checkedAt)}${found ? `: ${found}` : ''}`;
  const isRefused = drift.state === 'unchecked' && drift.differences.length === 0;
  const tip = isRefused ? `${seen}. The engine returned an error for this flow; see the log.` : `${seen}. Repair fixes it.`;
  return (
    <Tooltip text={tip}>
      <span tabIndex={0}>
        <Badge mark="warn">{DRIFT_LABELS[drift.state]}</Badge>
      </span>
    </Tooltip>
  );
}

function describeDrift({ workflows, workflowCount }: Instance): string {
  const states = workflows.map((row) => row.drift?.state);
  const drifted = states.filter((state) => state === 'missing' || state === 'changed').length;
  const unchecked = states.filter((state) => state === 'unchecked').length;
  // Findings come first among those listed: only where all are findings there may be more.
  const count = (found: number): string =>
    `${drifted + unchecked === workflows.length && workflows.length < workflowCount ? 'At least ' : ''}${plural(found, 'flow')}`;
  const findings = [
    ...(drifted > 0 ? [`${count(drifted)} differ${drifted === 1 ? 's' : ''} from the template. Repair fixes that.`] : []),
    ...(unchecked > 0 ? [`${count(unchecked)} could not be checked.`] : []),
  ];
  return findings.length > 0 ? findings.join(' ') : 'All installed flows match their templates.';
}

/** Runs the nightly drift check now. */
export function VerifyButton({ instance }: { instance: Instance }) {
  const { partnerId, status, installedCount } = instance;
  const verify = useMutation({
    mutationFn: () => api.verifyAutomation({ params: { id: partnerId } }),
    onSuccess: (record) => {
      queryClient.setQueryData(instanceQuery(partnerId).queryKey, record);
      announce(describeDrift(record));
    },
    onError: (error) => announceError(error),
  });
  if (installedCount === 0) return null;
  return (
    <Button
      size="sm"
      busy={verify.isPending && 'Comparing'}
      disabledReason={isHeld(status) ? 'An attempt is running.' : undefined}
      onClick={() => verify.mutate()}
    >
      Compare flows
    </Button>
  );
}

import { useQuery } from '@tanstack/react-query';
import { billingQuery } from '../queries/billing.ts';
import { Button } from '../ui/controls/button.tsx';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { Dialog, DialogActions, holdFocus } from '../ui/overlays/dialog.tsx';
import { plural } from '../ui/text/format.ts';
import { ErrorBlock } from './error-block.tsx';
import { overrideValues, toChange } from './overrides.ts';
import { PlanChangePreview } from './plan-change-preview.tsx';

type Props = {
  partnerId: string;
  title: string;
  action: string;
  busy: string | false;
  onConfirm: () => void;
  onClose: () => void;
};

/** Confirms that staff make an agency active again, with what that begins and charges. */
export function ResumeDialog({ partnerId, title, action, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="grid gap-3">
        <p className="text-ink-2">Agents accept events and schedules run again as before.</p>
        <Resumption partnerId={partnerId} />
      </div>
      <DialogActions>
        <Button onClick={onClose} ref={holdFocus}>
          Back
        </Button>
        <Button kind="primary" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** What begins when an agency is active again whose trial or subscription has ended (BILL-13). Nothing while its subscription goes on. */
export function Resumption({ partnerId }: { partnerId: string }) {
  const { data, error, refetch } = useQuery({ ...billingQuery(partnerId), staleTime: 0 });
  if (error) return <ErrorBlock error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={2} label="Loading the price" />;
  const { plan, subscription } = data;
  const { status, planId, overrides, terms } = subscription;
  if (status !== 'expired' && status !== 'cancelled') return null;
  if (plan.isTrial)
    return (
      <p className="text-ink-2">
        Another trial{plan.trialDays === null ? '' : ` of ${plural(plan.trialDays, 'day')}`} begins. Nothing is charged.
      </p>
    );
  return <PlanChangePreview partnerId={partnerId} change={toChange(planId, overrideValues(overrides, terms.currency), terms.currency)} />;
}

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { StaffPlan } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { PlanFields } from './plan-fields.tsx';
import { termsOf, toTerms } from './terms.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Edits a plan or creates a new one. */
export function PlanDrawer({ plan, onClose }: { plan: StaffPlan | undefined; onClose: () => void }) {
  const id = useId();
  const refusal = useRefusal('partners.manage');
  const form = useForm({
    saved: termsOf(plan),
    send: async (terms) =>
      plan
        ? await formApi.updatePlan({ params: { id: plan.id }, body: toTerms(terms), headers: { 'if-match': `"${plan.updatedAt}"` } })
        : await formApi.createPlan({ body: toTerms(terms) }),
    onSaved: (saved) => {
      announce(plan ? `${saved.name} saved.` : `${saved.name} created.`);
      refreshPlans();
      onClose();
    },
    fieldNames: {
      monthlyPriceMinor: 'price',
      seatPriceMinor: 'seatPrice',
      includedClients: 'clients',
      includedSeats: 'seats',
      monthlyCredits: 'credits',
      creditPacks: 'packs',
    },
  });
  return (
    <Drawer
      open
      onClose={onClose}
      title={plan?.name ?? 'New plan'}
      meta={plan && plan.subscriptions > 0 ? `${plural(plan.subscriptions, 'agency', 'agencies')} on it` : 'No agencies on it yet'}
    >
      <Form id={id} form={form}>
        {plan && plan.subscriptions > 0 ? (
          <Note tone="live">
            {plural(plan.subscriptions, 'agency', 'agencies')} on this plan. New seats, clients and features apply to them at once, credits
            and the price from their next period. Seats and packs that they buy cost the new prices at once.
          </Note>
        ) : null}
        <PlanFields terms={form.values} errors={form.errors} set={form.set} isInUse={plan !== undefined && plan.subscriptions > 0} />
      </Form>
      {/* Outside the form: retiring opens a dialog with its own form. */}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button kind="primary" type="submit" form={id} disabledReason={refusal} busy={form.isBusy && 'Saving'}>
          {plan ? 'Save plan' : 'Create plan'}
        </Button>
        {plan ? <Retire plan={plan} refusal={refusal} onDone={onClose} /> : null}
      </div>
    </Drawer>
  );
}

function Retire({ plan, refusal, onDone }: { plan: StaffPlan; refusal: string | undefined; onDone: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: async (isActive: boolean): Promise<void> => {
      if (isActive) await api.updatePlan({ params: { id: plan.id }, body: { isActive } });
      else await api.retirePlan({ params: { id: plan.id } });
    },
    onSuccess: (_answer, isActive) => {
      setAsking(false);
      announce(isActive ? `${plan.name} is available again.` : `${plan.name} is retired.`);
      refreshPlans();
      onDone();
    },
    onError: (error) => announceError(error),
  });
  if (!plan.isActive)
    return (
      <Button disabledReason={refusal} busy={change.isPending && 'Restoring'} onClick={() => change.mutate(true)}>
        Restore
      </Button>
    );
  return (
    <>
      <Button kind="danger-text" disabledReason={refusal} onClick={() => setAsking(true)}>
        Retire
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Retire ${plan.name}?`}
        action="Retire"
        busy={change.isPending && 'Retiring'}
        onConfirm={() => change.mutate(false)}
      >
        No new agencies can choose it.{' '}
        {plan.subscriptions > 0 ? (
          <>
            <b>{plural(plan.subscriptions, 'agency', 'agencies')}</b> on it {plan.subscriptions === 1 ? 'keeps' : 'keep'} it, and you
          </>
        ) : (
          'You'
        )}{' '}
        can restore it.
      </ConfirmDialog>
    </>
  );
}

function refreshPlans(): void {
  void refreshAfter('plansChanged');
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { StaffPlan } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { PlanFields } from './plan-fields.tsx';
import { termsOf, toTerms } from './terms.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Edits a plan or creates a new one. */
export function PlanDrawer({ plan, onClose }: { plan: StaffPlan | undefined; onClose: () => void }) {
  const [terms, setTerms] = useState(() => termsOf(plan));
  const form = useId();
  const refusal = useRefusal('partners.manage');
  const save = useMutation({
    mutationFn: () => (plan ? api.updatePlan({ params: { id: plan.id }, body: toTerms(terms) }) : api.createPlan({ body: toTerms(terms) })),
    onSuccess: (saved) => {
      announce(plan ? `${saved.name} saved.` : `${saved.name} created.`);
      refreshPlans();
      onClose();
    },
  });
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!refusal && !save.isPending) save.mutate();
  };
  return (
    <Drawer
      open
      onClose={onClose}
      title={plan?.name ?? 'New plan'}
      meta={plan && plan.subscriptions > 0 ? `${plural(plan.subscriptions, 'agency', 'agencies')} on it` : 'No agencies on it yet'}
    >
      <form id={form} onSubmit={submit} className="grid gap-5">
        <FormError error={save.error} />
        {plan && plan.subscriptions > 0 ? (
          <Note tone="live">
            {plural(plan.subscriptions, 'agency', 'agencies')} on it: new numbers hold from their next month, features at once.
          </Note>
        ) : null}
        <PlanFields terms={terms} errors={errors} set={(change) => setTerms((before) => ({ ...before, ...change }))} />
      </form>
      {/* Outside of the form: retiring asks first, with a form of its own. */}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button kind="primary" type="submit" form={form} disabledReason={refusal} busy={save.isPending && 'Saving'}>
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

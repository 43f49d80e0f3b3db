import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formApi } from '../../app/api.ts';
import type { Billing } from '../../queries/billing.ts';
import { allPlansQuery, type StaffPlan } from '../../queries/plans.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { billingDay } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { OverrideFields } from '../../shared/override-fields.tsx';
import { NO_OVERRIDES, OVERRIDE_FIELDS, overrideValues, toChange, toOverrides } from '../../shared/overrides.ts';
import { PlanChangePreview } from '../../shared/plan-change-preview.tsx';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';

type Props = { billing: Billing; onClose: () => void };

/** Changes plan and overrides; shows what it charges and when before it is saved. */
export function TermsDrawer({ billing, onClose }: Props) {
  const plans = useQuery(allPlansQuery);
  return (
    <Drawer open onClose={onClose} title="Change terms" meta={`Now on ${billing.subscription.planName}`}>
      <Loaded query={plans} skeleton={<SkeletonRows rows={4} label="Loading the plans" />}>
        {(data) => <TermsForm billing={billing} plans={data} onClose={onClose} />}
      </Loaded>
    </Drawer>
  );
}

function TermsForm({ billing: { plan: current, subscription }, plans, onClose }: Props & { plans: readonly StaffPlan[] }) {
  const id = useId();
  const own = overrideValues(subscription.overrides, current.currency);
  const planOf = (planId: string): StaffPlan | undefined => plans.find((plan) => plan.id === planId);
  // Without its name a trial stays one, and terms that wait stay pending.
  const changedPlan = (planId: string): string | undefined => (planId === subscription.planId ? undefined : planId);
  const form = useForm({
    saved: { planId: subscription.planId, ...own },
    send: ({ planId, ...overrides }) =>
      formApi.updateSubscription({
        params: { partnerId: subscription.partnerId },
        body: {
          planId: changedPlan(planId),
          overrides: toOverrides(overrides, planOf(planId)?.currency ?? current.currency),
        },
        headers: { 'if-match': `"${subscription.updatedAt}"` },
      }),
    onSaved: ({ pendingPlan, planId, terms }) => {
      // Terms that wait stay pending when the overrides alone are changed at once.
      const isNow = planId !== subscription.planId || JSON.stringify(terms) !== JSON.stringify(subscription.terms);
      announce(pendingPlan && !isNow ? `The new terms apply from ${billingDay(pendingPlan.at)}.` : 'The new terms apply.');
      onClose();
      void refreshAfter('billingChanged');
    },
    fieldNames: OVERRIDE_FIELDS,
  });
  const { values, errors, set } = form;
  const plan = planOf(values.planId);
  const staysTrial = subscription.status === 'trialing' && values.planId === subscription.planId;
  // A plan in use can be kept though it is retired; a trial is opened by an approval.
  const offered = plans.filter((one) => (one.isActive && !one.isTrial) || one.id === subscription.planId);
  return (
    <>
      <Form id={id} form={form} onReload={() => void refreshAfter('billingChanged')}>
        <Field label="Plan" error={errors['planId']} hint={plan ? limitsOf(plan) : undefined}>
          {(ids) => (
            <Select
              {...ids}
              label="Plan"
              value={values.planId}
              onChange={(planId) => set({ planId, ...(planId === subscription.planId ? own : NO_OVERRIDES) })}
              options={offered.map((one) => ({ value: one.id, label: one.name, hint: priceOf(one) }))}
            />
          )}
        </Field>
        <OverrideFields values={values} plan={plan} errors={errors} set={set} />
        {staysTrial ? (
          <p className="text-ink-2">The trial continues on these terms. Nothing is charged.</p>
        ) : form.isChanged ? (
          <PlanChangePreview
            partnerId={subscription.partnerId}
            change={toChange(changedPlan(values.planId), values, plan?.currency ?? current.currency)}
          />
        ) : (
          <p className="text-ink-3">Choose a plan or set an override to see the price.</p>
        )}
      </Form>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button kind="primary" type="submit" form={id} inactive={!form.isChanged} busy={form.isBusy && 'Changing'}>
          Change terms
        </Button>
        <Button onClick={onClose}>Back</Button>
      </div>
    </>
  );
}

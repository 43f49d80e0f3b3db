import { Link, useNavigate } from '@tanstack/react-router';
import { formApi } from '../../app/api.ts';
import { useLoaded } from '../../app/route-data.ts';
import { type Billing, billingQuery } from '../../queries/billing.ts';
import { type Plan, plansQuery } from '../../queries/plans.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { PlanChangePreview } from '../../shared/plan-change-preview.tsx';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { joinWords } from '../../ui/text/format.ts';
import { PlanCards } from './plan-cards.tsx';
import { CUSTOM, CustomTerms, EMPTY_REQUEST, toRequest } from './plan-request.tsx';
import { focusNoteOf, PlanRequestNote } from './plan-request-note.tsx';
import { useRequestRefusal } from './request-refusal.ts';

/** Compares plans, shows what a change would charge and when, and requests one. Nothing changes until staff approve. */
export function PlanPage() {
  const billing = useLoaded(billingQuery());
  return (
    <Section
      title="Plans"
      note="we confirm each change, usually within one working day"
      aside={
        <Link to="/dashboard/billing" className={buttonClass('quiet', 'sm')}>
          Back to plan & seats
        </Link>
      }
    >
      <PlanRequestNote />
      <PlanForm billing={billing} />
    </Section>
  );
}

/** Names the features of today that a plan does not include. */
function LostFeatures({ billing, plan }: { billing: Billing; plan: Plan | undefined }) {
  const { features } = billing.subscription.terms;
  const lost = FEATURE_NAMES.filter((name) => features[name] && plan?.features[name] === false);
  if (!plan || lost.length === 0) return null;
  return (
    <Note tone="warn">
      <b>{plan.name} does not include:</b> {joinWords(lost.map((name) => PLAN_FEATURES[name]))}. You have{' '}
      {lost.length === 1 ? 'it' : 'them'} today.
    </Note>
  );
}

function PlanForm({ billing }: { billing: Billing }) {
  const plans = useLoaded(plansQuery).filter((plan) => !plan.isTrial);
  const refusal = useRequestRefusal();
  const navigate = useNavigate();
  const form = useForm({
    saved: EMPTY_REQUEST,
    send: (values) => formApi.createPlanRequest({ body: toRequest(values) }),
    onSaved: (request) => {
      focusNoteOf(request);
      announce('Request sent.');
      void refreshAfter('planRequestSent');
      void navigate({ to: '/dashboard/billing' });
    },
    fieldNames: { planId: 'choice' },
  });
  const { values, errors, set } = form;
  const isPlan = values.choice !== undefined && values.choice !== CUSTOM;
  return (
    <Form form={form} className="grid gap-5">
      <PlanCards billing={billing} plans={plans} choice={values.choice} onChange={(choice) => set({ choice })} />
      {values.choice === undefined ? null : (
        <div className="grid max-w-180 gap-5">
          {isPlan ? (
            <>
              <PlanChangePreview change={{ planId: values.choice ?? '' }} />
              <LostFeatures billing={billing} plan={plans.find(({ id }) => id === values.choice)} />
            </>
          ) : (
            <CustomTerms values={values} errors={errors} set={set} />
          )}
          <Field label="Reason" note="required" error={errors['message']} hint="What the change is for, and when you need it.">
            {(ids) => (
              <TextArea
                {...ids}
                data-field="message"
                rows={3}
                maxLength={2000}
                value={values.message}
                onChange={(event) => set({ message: event.target.value })}
              />
            )}
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              kind="primary"
              type="submit"
              disabledReason={refusal}
              inactive={values.message.trim() === ''}
              busy={form.isBusy && 'Sending'}
            >
              Send request
            </Button>
            <p className="text-ink-3">Nothing changes until we confirm.</p>
          </div>
        </div>
      )}
    </Form>
  );
}

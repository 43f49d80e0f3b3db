import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { FEATURE_NAMES, limitsOf, PLAN_FEATURES, priceOf } from '../../shared/plan-labels.ts';
import { allPlansQuery, type PlanRequest, type StaffPlan } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, Input, TextArea, TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Form, FormErrors } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { type Approval, startOf, toApproval, withFeature } from './approval.ts';
import { askingPartnerQuery } from './queries.ts';

export type Approved = Reply<'approvePlanRequest'>;
type Props = { request: PlanRequest; onClose: () => void; onApproved: (answer: Approved) => void };

/** Approves a plan request: plan, slug of a new partner, and overrides of the plan. */
export function ApproveDialog({ request, onClose, onApproved }: Props) {
  const plans = useQuery(allPlansQuery);
  const partner = useQuery(askingPartnerQuery(request.partnerId));
  const both = {
    data: plans.data && partner.data !== undefined ? { plans: plans.data, partner: partner.data } : undefined,
    error: plans.error ?? partner.error,
    refetch: () => Promise.all([plans.refetch(), partner.refetch()]),
  };
  const name = request.applicant.companyName;
  return (
    <Dialog open wide onClose={onClose} title={request.partnerId ? `New terms for ${name}` : `Approve ${name}`}>
      <Loaded query={both} skeleton={<SkeletonRows rows={4} label="Loading the plans" />}>
        {(data) => (
          <ApprovalForm
            request={request}
            plans={data.plans}
            currentPlan={data.partner?.planId ?? undefined}
            onApproved={onApproved}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

/** Result of an approval. Shows the owner's link, because mail may not be configured. */
export function ApprovedDialog({ approved, onClose }: { approved: Approved | undefined; onClose: () => void }) {
  return (
    <Dialog open={approved !== undefined} onClose={onClose} title={approved ? `${approved.partner.name} is ready` : ''}>
      {approved?.invitation ? (
        <InvitationLink invitation={approved.invitation} onDone={onClose} />
      ) : (
        <>
          <p className="text-ink-2">The new terms apply from now on.</p>
          <DialogActions>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

type FormProps = {
  request: PlanRequest;
  plans: readonly StaffPlan[];
  currentPlan: string | undefined;
  onApproved: (answer: Approved) => void;
  onClose: () => void;
};

function ApprovalForm({ request, plans, currentPlan, onApproved, onClose }: FormProps) {
  const [start] = useState(() => startOf(request, plans, currentPlan));
  const isApplication = request.partnerId === null;
  const form = useForm({
    saved: start,
    send: (values) => {
      const chosen = plans.find((one) => one.id === values.planId);
      return formApi.approvePlanRequest({
        params: { id: request.id },
        body: toApproval({ ...values, planId: values.planId ?? '' }, chosen, isApplication),
      });
    },
    onSaved: onApproved,
    fieldNames: { includedSeats: 'seats', includedClients: 'clients', monthlyCredits: 'credits' },
  });
  const { values, errors, set } = form;
  const plan = plans.find((one) => one.id === values.planId);
  const top = useRef<HTMLDivElement>(null);
  // The dialog opened before the form had loaded.
  useEffect(() => top.current?.querySelector<HTMLElement>('button, input')?.focus(), []);
  const pick = (planId: string): void => {
    const next = plans.find((one) => one.id === planId);
    set({ planId, features: {}, trialDays: next?.isTrial && next.trialDays !== null ? String(next.trialDays) : '' });
  };
  return (
    <Form form={form} hasSummary={false} className="mt-2 grid gap-4">
      <p className="text-ink-2">
        {isApplication
          ? `This creates a workspace and invites ${request.applicant.fullName} as its owner.`
          : 'The new terms apply immediately. Credits already used this month stay used.'}
      </p>
      <FormErrors form={form} />
      <div ref={top} className="grid gap-4 md:grid-cols-2">
        <Field label="Plan" note="required" error={errors['planId']} hint={plan ? limitsOf(plan) : undefined}>
          {(ids) => (
            <Select
              {...ids}
              label="Plan"
              value={values.planId}
              onChange={pick}
              options={plans.filter((one) => one.isActive).map((one) => ({ value: one.id, label: one.name, hint: priceOf(one) }))}
            />
          )}
        </Field>
        {isApplication ? (
          <TextField label="Slug" hint="Used in URLs. It cannot be changed later." mono required maxLength={40} {...form.input('slug')} />
        ) : null}
        {plan?.isTrial ? <TextField label="Trial" note="days" type="number" min={1} max={365} {...form.input('trialDays')} /> : null}
      </div>
      <OverrideTerms values={values} plan={plan} errors={errors} set={set} />
      <Field label="Note" note="optional" error={errors['note']} hint="For staff, kept with the request">
        {(ids) => (
          <TextArea {...ids} rows={2} maxLength={2000} value={values.note} onChange={(event) => set({ note: event.target.value })} />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" type="submit" inactive={!values.planId} busy={form.isBusy && 'Approving'}>
          {isApplication ? 'Approve and invite' : 'Approve'}
        </Button>
      </DialogActions>
    </Form>
  );
}

type TermsProps = {
  values: Approval;
  plan: StaffPlan | undefined;
  errors: Record<string, string>;
  set: (change: Partial<Approval>) => void;
};

/** Overrides of the plan; collapsed unless the agency requested some. */
function OverrideTerms({ values, plan, errors, set }: TermsProps) {
  const isOwn = Boolean(values.seats || values.clients || values.credits || Object.keys(values.features).length > 0);
  const [hadOverrides] = useState(isOwn);
  const number = (name: 'seats' | 'clients' | 'credits', standard: number | undefined) => ({
    'data-field': name,
    type: 'number',
    min: name === 'seats' ? 1 : 0,
    placeholder: standard === undefined ? '' : formatNumber(standard),
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <details open={hadOverrides} className="border-y border-line-soft py-2.5">
      <summary className="cursor-pointer font-medium">
        Override plan terms {isOwn ? <span className="font-normal text-ink-3">some</span> : null}
      </summary>
      <div className="mt-3 grid gap-4 md:grid-cols-3">
        <Field label="Seats" error={errors['seats']}>
          {(ids) => <Input {...ids} {...number('seats', plan?.includedSeats)} />}
        </Field>
        <Field label="Clients" error={errors['clients']}>
          {(ids) => <Input {...ids} {...number('clients', plan?.includedClients)} />}
        </Field>
        <Field label="Credits per month" error={errors['credits']}>
          {(ids) => <Input {...ids} {...number('credits', plan?.monthlyCredits)} />}
        </Field>
      </div>
      <fieldset className="mt-3 grid md:grid-cols-2">
        <legend className="sr-only">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={values.features[name] ?? plan?.features[name] ?? false}
            onChange={(event) => set({ features: withFeature(values, name, event.target.checked, plan) })}
          />
        ))}
      </fieldset>
    </details>
  );
}

import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import { allPlansQuery, type PlanRequest, type StaffPlan } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Form, FormErrors } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { OverrideFields } from '../../shared/override-fields.tsx';
import { OVERRIDE_FIELDS, toChange } from '../../shared/overrides.ts';
import { PlanChangePreview } from '../../shared/plan-change-preview.tsx';
import { losesOverrides, offeredPlans, overridesOn, priceWhenAsked, startOf, type Terms, toApproval } from './approval.ts';
import { termsOfAskingQuery } from './queries.ts';

export type Approved = Reply<'approvePlanRequest'>;
type Props = { request: PlanRequest; onClose: () => void; onApproved: (answer: Approved) => void };

/** Approves a plan request: plan, slug of a new partner, and overrides of the plan. */
export function ApproveDialog({ request, onClose, onApproved }: Props) {
  const plans = useQuery(allPlansQuery);
  // Read when the dialog opens: an approval replaces the terms of then.
  const terms = useQuery(termsOfAskingQuery(request.partnerId));
  const isRead = terms.data !== undefined && terms.isFetchedAfterMount;
  const both = {
    data: plans.data && isRead ? { plans: plans.data, present: terms.data ?? undefined } : undefined,
    error: plans.error ?? terms.error,
    refetch: () => Promise.all([plans.refetch(), terms.refetch()]),
  };
  const name = request.applicant.companyName;
  return (
    <Dialog open wide onClose={onClose} title={request.partnerId ? `New terms for ${name}` : `Approve ${name}`}>
      <Loaded query={both} skeleton={<SkeletonRows rows={4} label="Loading the plans" />}>
        {(data) => <ApprovalForm request={request} plans={data.plans} present={data.present} onApproved={onApproved} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

/** Result of an approval. Shows the owner's link, because mail may not be configured. */
export function ApprovedDialog({ approved, onClose }: { approved: Approved | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={approved !== undefined}
      onClose={onClose}
      title={approved ? (approved.invitation ? `${approved.partner.name} is ready` : `New terms for ${approved.partner.name}`) : ''}
    >
      {approved?.invitation ? (
        <InvitationLink invitation={approved.invitation} onDone={onClose} />
      ) : (
        <>
          <p className="text-ink-2">The agency gets its new terms. Its Billing tab shows when they take effect.</p>
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
  /** The agency’s terms; undefined for an applicant. */
  present: Terms | undefined;
  onApproved: (answer: Approved) => void;
  onClose: () => void;
};

function ApprovalForm({ request, plans, present, onApproved, onClose }: FormProps) {
  const [start] = useState(() => startOf(request, plans, present));
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
    fieldNames: OVERRIDE_FIELDS,
  });
  const { values, errors, set } = form;
  const plan = plans.find((one) => one.id === values.planId);
  const asked = priceWhenAsked(request, plan);
  const top = useRef<HTMLDivElement>(null);
  // The dialog opened before the form had loaded.
  useEffect(() => top.current?.querySelector<HTMLElement>('button, input')?.focus(), []);
  const pick = (planId: string): void => {
    const next = plans.find((one) => one.id === planId);
    const overrides = isApplication ? { features: {} } : overridesOn(next, request, present);
    set({ planId, ...overrides, trialDays: next?.isTrial && next.trialDays !== null ? String(next.trialDays) : '' });
  };
  return (
    <Form form={form} hasSummary={false} className="mt-2 grid gap-4">
      <p className="text-ink-2">
        {isApplication
          ? `This creates a workspace and invites ${request.applicant.fullName} as its owner.`
          : 'Upgrades take effect at once, downgrades when the period ends. Credits already used this month stay used.'}
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
              options={offeredPlans(plans, present).map((one) => ({ value: one.id, label: one.name, hint: priceOf(one) }))}
            />
          )}
        </Field>
        {isApplication ? (
          <TextField
            label="Slug"
            hint="Used in URLs, such as those of single sign-on."
            mono
            required
            maxLength={LIMITS.slugLengthMax}
            {...form.input('slug')}
          />
        ) : null}
        {plan?.isTrial ? <TextField label="Trial" note="days" type="number" min={1} max={365} {...form.input('trialDays')} /> : null}
      </div>
      <OverrideFields values={values} plan={plan} errors={errors} set={set} />
      {losesOverrides(values.planId, present) ? (
        <p className="text-ink-2">The overrides of the present plan do not carry over. Enter what the agency keeps.</p>
      ) : null}
      {plan && asked !== null ? (
        <p className="text-warn">
          The agency asked for {plan.name} when it cost {amountOf(asked, plan.currency)} a month. Agree with it on the present price, or
          override the price.
        </p>
      ) : null}
      {request.partnerId && plan && !plan.isTrial ? (
        <PlanChangePreview partnerId={request.partnerId} change={toChange(plan.id, values, plan.currency)} />
      ) : null}
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

import { LIMITS, PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { allPlansQuery, type StaffPlan } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { OverrideFields } from '../../shared/override-fields.tsx';
import { NO_OVERRIDES, OVERRIDE_FIELDS, toOverrides } from '../../shared/overrides.ts';
import { limitsOf, priceOf } from '../../shared/plan-labels.ts';
import { Select } from '../../ui/forms/select.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

type Created = Reply<'createPartner'>;

/** Creates a partner and its owner's invitation. Shows the link, because mail may not be configured. */
export function CreatePartnerDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  const close = (): void => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog open={open} wide={!created} onClose={close} title={created ? `${created.partner.name} is ready` : 'Create partner'}>
      {created ? <InvitationLink invitation={created.invitation} onDone={close} /> : <PartnerForm onCreated={setCreated} onClose={close} />}
    </Dialog>
  );
}

function PartnerForm({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
  const plans = useQuery(allPlansQuery);
  const open = (plans.data ?? []).filter((plan) => plan.isActive);
  const chosen = (planId: string) => open.find((plan) => plan.id === planId);
  const [isSlugOwn, setSlugOwn] = useState(false);
  const form = useForm({
    saved: { name: '', slug: '', ownerName: '', ownerEmail: '', planId: '', ...NO_OVERRIDES },
    send: ({ name, slug, ownerName, ownerEmail, planId, ...terms }) => {
      const overrides = toOverrides(terms, chosen(planId)?.currency ?? PRESET_CURRENCY);
      return formApi.createPartner({ body: { name, slug, ownerName, ownerEmail, planId, overrides } });
    },
    fieldNames: OVERRIDE_FIELDS,
    onSaved: (answer) => {
      onCreated(answer);
      void refreshAfter('partnersChanged');
    },
  });
  return (
    <Form form={form} className="mt-3 grid gap-4">
      <TextField
        label="Agency name"
        autoFocus
        required
        maxLength={LIMITS.nameMax}
        {...form.input('name')}
        onChange={(name) => form.set({ name, ...(isSlugOwn ? {} : { slug: slugOf(name) }) })}
      />
      <TextField
        label="Slug"
        hint="Used in URLs and to confirm irreversible actions"
        mono
        required
        maxLength={LIMITS.slugLengthMax}
        {...form.input('slug')}
        onChange={(slug) => {
          setSlugOwn(true);
          form.set({ slug });
        }}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Owner’s name" required maxLength={LIMITS.nameMax} {...form.input('ownerName')} />
        <TextField label="Owner’s e-mail" type="email" required {...form.input('ownerEmail')} />
      </div>
      <Field label="Plan" error={form.errors['planId']} hint={limitsHint(chosen(form.values.planId))}>
        {(ids) => (
          <Select
            {...ids}
            label="Plan"
            value={form.values.planId}
            onChange={(planId) => form.set({ planId })}
            options={open.map((plan) => ({ value: plan.id, label: plan.name, hint: priceOf(plan) }))}
          />
        )}
      </Field>
      {form.values.planId ? (
        <OverrideFields values={form.values} plan={chosen(form.values.planId)} errors={form.errors} set={form.set} />
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={form.isBusy && 'Creating'} inactive={!form.values.planId}>
          Create partner
        </Button>
      </DialogActions>
    </Form>
  );
}

function limitsHint(plan: StaffPlan | undefined): string | undefined {
  return plan && limitsOf(plan);
}

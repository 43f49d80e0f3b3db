import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { plansQuery } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
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
    <Dialog open={open} onClose={close} title={created ? `${created.partner.name} is ready` : 'Create partner'}>
      {created ? <InvitationLink invitation={created.invitation} onDone={close} /> : <PartnerForm onCreated={setCreated} onClose={close} />}
    </Dialog>
  );
}

function PartnerForm({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
  const plans = useQuery(plansQuery);
  const [isSlugOwn, setSlugOwn] = useState(false);
  const form = useForm({
    saved: { name: '', slug: '', ownerName: '', ownerEmail: '', planId: '' },
    send: (body) => formApi.createPartner({ body }),
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
        maxLength={120}
        {...form.input('name')}
        onChange={(name) => form.set({ name, ...(isSlugOwn ? {} : { slug: slugOf(name) }) })}
      />
      <TextField
        label="Slug"
        hint="Used in URLs and to confirm irreversible actions"
        mono
        required
        maxLength={40}
        {...form.input('slug')}
        onChange={(slug) => {
          setSlugOwn(true);
          form.set({ slug });
        }}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Owner's name" required maxLength={120} {...form.input('ownerName')} />
        <TextField label="Owner's e-mail" type="email" required {...form.input('ownerEmail')} />
      </div>
      <Field label="Plan" error={form.errors['planId']}>
        {(ids) => (
          <Select
            {...ids}
            label="Plan"
            value={form.values.planId}
            onChange={(planId) => form.set({ planId })}
            options={(plans.data ?? []).map((plan) => ({
              value: plan.id,
              label: plan.name,
              hint: `${formatNumber(plan.monthlyCredits)} credits a month`,
            }))}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={form.isBusy && 'Creating'} inactive={!form.values.planId}>
          Create partner
        </Button>
      </DialogActions>
    </Form>
  );
}

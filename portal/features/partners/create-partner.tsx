import { slugOf } from '@partner-portal/core/tenancy/slug.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { plansQuery } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

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
  const [values, setValues] = useState({ name: '', slug: '', ownerName: '', ownerEmail: '', planId: '' });
  const [isSlugOwn, setSlugOwn] = useState(false);
  const create = useMutation({
    mutationFn: () => api.createPartner({ body: values }),
    onSuccess: (answer) => {
      onCreated(answer);
      void refreshAfter('partnersChanged');
    },
  });
  const errors = fieldErrors(create.error);
  const set =
    (key: keyof typeof values) =>
    (value: string): void =>
      setValues((before) => ({ ...before, [key]: value, ...(key === 'name' && !isSlugOwn ? { slug: slugOf(value) } : {}) }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4">
      <FormError error={create.error} />
      <TextField
        label="Agency name"
        error={errors['name']}
        autoFocus
        required
        maxLength={120}
        value={values.name}
        onChange={(text) => set('name')(text)}
      />
      <TextField
        label="Slug"
        hint="Used in URLs and to confirm irreversible actions"
        error={errors['slug']}
        mono
        required
        maxLength={40}
        value={values.slug}
        onChange={(text) => {
          setSlugOwn(true);
          set('slug')(text);
        }}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Owner's name"
          error={errors['ownerName']}
          required
          maxLength={120}
          value={values.ownerName}
          onChange={(text) => set('ownerName')(text)}
        />
        <TextField
          label="Owner's e-mail"
          error={errors['ownerEmail']}
          type="email"
          required
          value={values.ownerEmail}
          onChange={(text) => set('ownerEmail')(text)}
        />
      </div>
      <Field label="Plan" error={errors['planId']}>
        {(ids) => (
          <Select
            {...ids}
            label="Plan"
            value={values.planId}
            onChange={set('planId')}
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
        <Button kind="primary" type="submit" busy={create.isPending && 'Creating'} inactive={!values.planId}>
          Create partner
        </Button>
      </DialogActions>
    </form>
  );
}

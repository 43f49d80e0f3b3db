import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, queryClient, type Reply } from '../../lib/client.ts';
import { fieldErrors } from '../../lib/errors.ts';
import { formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { Select } from '../../ui/select.tsx';
import { plansQuery } from './queries.ts';

type Created = Reply<'createPartner'>;

/** Creates a workspace and its owner's invitation; the link is shown now, since mail may not be set up. */
export function CreatePartnerDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  const close = (): void => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={created ? `${created.partner.name} is ready` : 'Create partner'}>
      {created ? <Invitation created={created} onDone={close} /> : <PartnerForm onCreated={setCreated} onClose={close} />}
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
      void queryClient.invalidateQueries({ queryKey: ['partners'] });
    },
  });
  const errors = fieldErrors(create.error);
  const set =
    (key: keyof typeof values) =>
    (value: string): void =>
      setValues((before) => ({ ...before, [key]: value, ...(key === 'name' && !isSlugOwn ? { slug: toSlug(value) } : {}) }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4">
      {create.error && Object.keys(errors).length === 0 ? <ErrorBlock error={create.error} /> : null}
      <Field label="Agency name" error={errors['name']}>
        {(ids) => (
          <Input {...ids} autoFocus required maxLength={120} value={values.name} onChange={(event) => set('name')(event.target.value)} />
        )}
      </Field>
      <Field label="Slug" hint="Used in addresses and to confirm what cannot be undone." error={errors['slug']}>
        {(ids) => (
          <Input
            {...ids}
            mono
            required
            maxLength={40}
            value={values.slug}
            onChange={(event) => {
              setSlugOwn(true);
              set('slug')(event.target.value);
            }}
          />
        )}
      </Field>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Owner's name" error={errors['ownerName']}>
          {(ids) => (
            <Input {...ids} required maxLength={120} value={values.ownerName} onChange={(event) => set('ownerName')(event.target.value)} />
          )}
        </Field>
        <Field label="Owner's e-mail" error={errors['ownerEmail']}>
          {(ids) => (
            <Input {...ids} type="email" required value={values.ownerEmail} onChange={(event) => set('ownerEmail')(event.target.value)} />
          )}
        </Field>
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

function Invitation({ created, onDone }: { created: Created; onDone: () => void }) {
  const { invitation } = created;
  return (
    <>
      <p className="mb-3 text-ink-2">
        {invitation.emailStatus === 'sent' ? (
          <>We mailed the invitation to {invitation.email}.</>
        ) : (
          <>Mail is not set up, so send this link to {invitation.email} yourself.</>
        )}{' '}
        It works once, for 7 days.
      </p>
      <CodeBlock name="Invitation link" code={invitation.acceptUrl} />
      <DialogActions>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}

function toSlug(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
}

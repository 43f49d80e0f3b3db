import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { storeClient } from '../../queries/clients.ts';

type Created = Reply<'createClient'>;

/** Adds a client; with an e-mail address it also invites the client's first user. */
export function CreateClientDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  const navigate = useNavigate();
  const close = (): void => {
    setCreated(undefined);
    onClose();
  };
  const done = (client: Created): void => {
    storeClient(client);
    if (client.invitation) setCreated(client);
    else {
      close();
      void navigate({ to: '/dashboard/clients/$id', params: { id: client.id } });
    }
  };
  return (
    <Dialog open={open} onClose={close} title={created ? `${created.name} added` : 'Add client'}>
      {created?.invitation ? (
        <InvitationLink
          invitation={created.invitation}
          onDone={() => {
            close();
            void navigate({ to: '/dashboard/clients/$id', params: { id: created.id } });
          }}
        />
      ) : (
        <ClientForm onDone={done} onClose={close} />
      )}
    </Dialog>
  );
}

function ClientForm({ onDone, onClose }: { onDone: (client: Created) => void; onClose: () => void }) {
  const { partner } = useUser();
  const [values, setValues] = useState({ name: '', contactEmail: '', timezone: partner.timezone, bookingUrl: '', inviteEmail: '' });
  const create = useMutation({
    mutationFn: () =>
      api.createClient({
        body: {
          name: values.name,
          timezone: values.timezone,
          ...(values.contactEmail ? { contactEmail: values.contactEmail } : {}),
          ...(values.inviteEmail ? { inviteEmail: values.inviteEmail } : {}),
          ...(values.bookingUrl ? { businessProfile: { bookingUrl: values.bookingUrl } } : {}),
        },
      }),
    onSuccess: onDone,
  });
  const errors = fieldErrors(create.error);
  const set =
    (key: keyof typeof values) =>
    (value: string): void =>
      setValues((before) => ({ ...before, [key]: value }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4">
      <FormError error={create.error} />
      <TextField
        label="Business name"
        note="required"
        error={errors['name']}
        autoFocus
        required
        maxLength={120}
        value={values.name}
        onChange={(text) => set('name')(text)}
      />
      <TimezoneField
        value={values.timezone}
        onChange={set('timezone')}
        error={errors['timezone']}
        hint="Used for quiet hours and reminders"
      />
      <TextField
        label="Booking link"
        hint="Agents include it in their messages"
        error={errors['businessProfile.bookingUrl']}
        type="url"
        value={values.bookingUrl}
        onChange={(text) => set('bookingUrl')(text)}
      />
      <TextField
        label="Contact e-mail"
        error={errors['contactEmail']}
        type="email"
        value={values.contactEmail}
        onChange={(text) => set('contactEmail')(text)}
      />
      <TextField
        label="Invite to the client portal"
        hint="This person gets an invitation link to the client portal in your branding."
        error={errors['inviteEmail']}
        type="email"
        placeholder="name@business.example"
        value={values.inviteEmail}
        onChange={(text) => set('inviteEmail')(text)}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={create.isPending && 'Adding'} inactive={!values.name.trim()}>
          Add client
        </Button>
      </DialogActions>
    </form>
  );
}

import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { InvitationLink } from '../../shared/invitation-link.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { storeClient } from '../../queries/clients.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import type { Edits } from '../../ui/hooks/use-edits.ts';
import type { NewClient } from './new-client.ts';

type Created = Reply<'createClient'>;

/** Adds a client; with an e-mail address it also invites the client's first user. */
export function CreateClientDialog({ edits, onClose }: { edits: Edits<NewClient>; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  const navigate = useNavigate();
  const done = (client: Created): void => {
    edits.reset();
    storeClient(client);
    if (client.invitation) setCreated(client);
    else {
      onClose();
      void navigate({ to: '/dashboard/clients/$id', params: { id: client.id } });
    }
  };
  return (
    <Dialog open onClose={onClose} title={created ? `${created.name} added` : 'Add client'}>
      {created?.invitation ? (
        <InvitationLink
          invitation={created.invitation}
          onDone={() => {
            onClose();
            void navigate({ to: '/dashboard/clients/$id', params: { id: created.id } });
          }}
        />
      ) : (
        <ClientForm
          edits={edits}
          onDone={done}
          onCancel={() => {
            edits.reset();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

type FormProps = { edits: Edits<NewClient>; onDone: (client: Created) => void; onCancel: () => void };

function ClientForm({ edits, onDone, onCancel }: FormProps) {
  const form = useForm({
    saved: edits.values,
    edits,
    send: ({ name, timezone, contactEmail, inviteEmail, bookingUrl }) =>
      formApi.createClient({
        body: {
          name,
          timezone,
          ...(contactEmail ? { contactEmail } : {}),
          ...(inviteEmail ? { inviteEmail } : {}),
          ...(bookingUrl ? { businessProfile: { bookingUrl } } : {}),
        },
      }),
    onSaved: onDone,
    fieldNames: { 'businessProfile.bookingUrl': 'bookingUrl' },
  });
  return (
    <Form form={form} className="mt-3 grid gap-4">
      <TextField label="Business name" note="required" autoFocus required maxLength={LIMITS.nameMax} {...form.input('name')} />
      <TimezoneField hint="Used for quiet hours and reminders" {...form.field('timezone')} />
      <TextField label="Booking link" hint="Agents include it in their messages" type="url" {...form.input('bookingUrl')} />
      <TextField label="Contact e-mail" type="email" {...form.input('contactEmail')} />
      <TextField
        label="Invite to the client portal"
        hint="This person gets an invitation link to the client portal in your branding."
        type="email"
        placeholder="name@business.example"
        {...form.input('inviteEmail')}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" busy={form.isBusy && 'Adding'} inactive={!form.values.name.trim()}>
          Add client
        </Button>
      </DialogActions>
    </Form>
  );
}

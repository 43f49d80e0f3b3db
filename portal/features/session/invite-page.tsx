import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { formatDay, formatMinute } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock, FormError } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { PublicPage } from './public-page.tsx';
import { keys } from '../../queries/keys.ts';

type Invitation = Reply<'getInvitationByToken'>;

/** Accepts an invitation: the user sets a password, then logs in. */
export function InvitePage({ token, onAccepted }: { token: string; onAccepted: (email: string) => void }) {
  const invitation = useQuery({
    queryKey: keys.invitation(token),
    queryFn: ({ signal }) => api.getInvitationByToken({ params: { token }, signal }),
    retry: false,
    staleTime: Infinity,
  });
  const { data, error } = invitation;
  useTitle('Invitation', data?.partnerName);
  return (
    <PublicPage
      agency={data ? { name: data.partnerName, logoUrl: data.logoUrl } : undefined}
      foot={data ? `This link works once, until ${formatDay(data.expiresAt)} at ${formatMinute(data.expiresAt)}.` : undefined}
    >
      {error ? <DeadLink error={error} onRetry={() => void invitation.refetch()} /> : null}
      {data ? <AcceptForm invitation={data} token={token} onAccepted={onAccepted} /> : null}
    </PublicPage>
  );
}

function DeadLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = codeOf(error);
  const isDead = code === 'not_found' || code?.startsWith('invitation_');
  if (!isDead) return <ErrorBlock error={error} onRetry={onRetry} />;
  const { title, detail } = explain(error);
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl tracking-[-0.02em]">{code === 'not_found' ? 'Invitation not found' : title}</h1>
      <p className="text-ink-2">
        {code === 'not_found'
          ? 'The link may be incomplete. Open the full link, or ask for a new one.'
          : detail || 'Ask the person who invited you for a new one.'}
      </p>
      <p>
        <a className="lnk" href="/login">
          Go to login
        </a>
      </p>
    </div>
  );
}

function AcceptForm({ invitation, token, onAccepted }: { invitation: Invitation; token: string; onAccepted: (email: string) => void }) {
  const [fullName, setFullName] = useState(invitation.fullName ?? '');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () => api.acceptInvitation({ body: { token, password, ...(fullName.trim() ? { fullName: fullName.trim() } : {}) } }),
    onSuccess: (answer) => onAccepted(answer.email),
  });
  const errors = fieldErrors(accept.error);
  const isWeak = codeOf(accept.error) === 'weak_password';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!accept.isPending) accept.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-5">
      <div>
        <h1 className="text-2xl tracking-[-0.02em]">Join {invitation.clientName ?? invitation.partnerName}</h1>
        <p className="text-ink-2">{sentence(invitation)}</p>
      </div>
      {isWeak ? null : <FormError error={accept.error} />}
      <Field label="E-mail" note="set by the invitation">
        {(ids) => (
          <Input {...ids} size="lg" type="email" readOnly autoComplete="username" value={invitation.email} className="!bg-sunken" />
        )}
      </Field>
      <TextField
        label="Your name"
        error={errors['fullName']}
        size="lg"
        required
        maxLength={120}
        autoComplete="name"
        autoFocus={!fullName}
        value={fullName}
        onChange={setFullName}
      />
      <NewPasswordField
        label="Password"
        email={invitation.email}
        value={password}
        onChange={setPassword}
        error={errors['password'] ?? (isWeak ? explain(accept.error).detail || 'Choose a stronger password.' : undefined)}
      />
      <Button kind="primary" size="lg" type="submit" busy={accept.isPending && 'Creating your account'}>
        Set password and continue
      </Button>
      <Note tone="live">
        <p className="text-sm">You use this e-mail address and password to log in.</p>
      </Note>
    </form>
  );
}

function sentence({ invitedByName, partnerName, clientName, kind }: Invitation): string {
  const who = invitedByName ?? partnerName;
  if (kind === 'client_user') return `${who} invited you to see what the agents of ${clientName ?? partnerName} do.`;
  if (kind === 'owner') return `${who} set up a workspace for ${partnerName}. You will be its first admin.`;
  return `${who} invited you to the team of ${partnerName}.`;
}

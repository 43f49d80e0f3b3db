import { useQuery } from '@tanstack/react-query';
import { api, formApi, type Reply } from '../../app/api.ts';
import { codeOf, explain } from '../../app/errors.ts';
import { formatDay, formatMinute } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { PublicPage } from './public-page.tsx';
import { keys } from '../../queries/keys.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

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
        <a className="link" href="/login">
          Go to login
        </a>
      </p>
    </div>
  );
}

function AcceptForm({ invitation, token, onAccepted }: { invitation: Invitation; token: string; onAccepted: (email: string) => void }) {
  const form = useForm({
    saved: { fullName: invitation.fullName ?? '', password: '' },
    send: ({ fullName, password }) =>
      formApi.acceptInvitation({ body: { token, password, ...(fullName.trim() ? { fullName: fullName.trim() } : {}) } }),
    onSaved: (answer) => onAccepted(answer.email),
    keepValues: true,
    fieldOfCode: { weak_password: 'password' },
  });
  return (
    <Form form={form}>
      <div>
        <h1 className="text-2xl tracking-[-0.02em]">Join {invitation.clientName ?? invitation.partnerName}</h1>
        <p className="text-ink-2">{sentence(invitation)}</p>
      </div>
      <Field label="E-mail" note="set by the invitation">
        {(ids) => (
          <Input {...ids} size="lg" type="email" readOnly autoComplete="username" value={invitation.email} className="!bg-sunken" />
        )}
      </Field>
      <TextField
        label="Your name"
        size="lg"
        required
        maxLength={120}
        autoComplete="name"
        autoFocus={!invitation.fullName}
        {...form.input('fullName')}
      />
      <NewPasswordField label="Password" email={invitation.email} {...form.input('password')} />
      <Button kind="primary" size="lg" type="submit" busy={form.isBusy && 'Creating your account'}>
        Set password and continue
      </Button>
      <Note tone="live">
        <p className="text-sm">You use this e-mail address and password to log in.</p>
      </Note>
    </Form>
  );
}

function sentence({ invitedByName, partnerName, clientName, kind }: Invitation): string {
  const who = invitedByName ?? partnerName;
  if (kind === 'client_user') return `${who} invited you to see what the agents of ${clientName ?? partnerName} do.`;
  if (kind === 'owner') return `${who} set up a workspace for ${partnerName}. You will be its first admin.`;
  return `${who} invited you to the team of ${partnerName}.`;
}

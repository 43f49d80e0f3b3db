import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { useEffect, useState } from 'react';
import { loadMessages, useMessages } from '../../app/messages.ts';
import { browserZone } from '../../ui/text/reader.ts';
import { useQuery } from '@tanstack/react-query';
import { formApi, type Reply } from '../../app/api.ts';
import { codeOf, explain } from '../../app/errors.ts';
import { formatDay, formatMinute } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { buttonClass, PlainButton } from '../../ui/controls/plain-button.tsx';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { NewPasswordField } from '../../ui/forms/new-password-field.tsx';
import { PublicPage } from './public-page.tsx';
import { type Invitation, invitationQuery } from './queries.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

type Accepted = Reply<'acceptInvitation'>;
type Props = { token: string; onAccepted: (accepted: Accepted) => void };

/** Accepts an invitation: the user sets a password and is logged in. */
export function InvitePage({ token, onAccepted }: Props) {
  const { t } = useMessages();
  // Kept while the portal opens: a new session forgets what was read before, and the used link would be asked about again.
  const [accepted, setAccepted] = useState<Invitation>();
  const invitation = useQuery({ ...invitationQuery(token), enabled: accepted === undefined });
  const { data = accepted, error } = invitation;
  const language = data?.locale;
  useEffect(() => {
    // A client's invitation is in the client's language, also when the browser prefers another.
    if (language) void loadMessages(language, browserZone());
  }, [language]);
  useTitle(t('login.invitation'), data?.partnerName);
  const accept: typeof onAccepted = (answer) => {
    setAccepted(data);
    onAccepted(answer);
  };
  return (
    <PublicPage
      agency={data ? { name: data.partnerName, logoUrl: data.logoUrl, brandColor: data.brandColor } : undefined}
      foot={data ? t('login.linkUntil', { day: formatDay(data.expiresAt), time: formatMinute(data.expiresAt) }) : undefined}
    >
      {error ? <DeadLink error={error} onRetry={() => void invitation.refetch()} /> : null}
      {data?.ssoUrl ? <AcceptBySignIn invitation={data} ssoUrl={data.ssoUrl} /> : null}
      {data && !data.ssoUrl ? <AcceptForm invitation={data} token={token} onAccepted={accept} /> : null}
    </PublicPage>
  );
}

const DEAD_LINKS: Readonly<Record<string, MessageKey>> = {
  invitation_used: 'login.inviteUsed',
  invitation_expired: 'login.inviteExpired',
  invitation_revoked: 'login.inviteRevoked',
};

function DeadLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t, locale } = useMessages();
  const code = codeOf(error);
  const isDead = code === 'not_found' || code?.startsWith('invitation_');
  if (!isDead) return <ErrorBlock error={error} onRetry={onRetry} />;
  const { title, detail } = explain(error);
  const dead = DEAD_LINKS[code ?? ''];
  return (
    <div className="grid gap-4">
      <h1 className="text-2xl tracking-figure">
        {code === 'not_found' ? t('login.inviteNotFound') : dead && locale !== 'en' ? t(dead) : title}
      </h1>
      {/* Who is a user cannot be invited again: the link below is the way in. */}
      {code === 'invitation_used' && locale !== 'en' ? null : (
        <p className="text-ink-2">
          {code === 'not_found' ? t('login.inviteIncomplete') : (locale === 'en' && detail) || t('login.askNew')}
        </p>
      )}
      <p>
        <a className="link" href="/login">
          {t('login.goToLogin')}
        </a>
      </p>
    </div>
  );
}

/** The agency's provider is the only way in: a login there accepts the invitation, and no password is asked for. */
function AcceptBySignIn({ invitation, ssoUrl }: { invitation: Invitation; ssoUrl: string }) {
  const { t } = useMessages();
  return (
    <div className="grid gap-4">
      <div>
        <h1 className="mb-1 text-2xl tracking-figure text-balance">{t('login.join', { name: invitation.partnerName })}</h1>
        <p className="text-ink-2">{sentence(invitation, t)}</p>
      </div>
      <p>{t('login.joinBySso', { email: invitation.email })}</p>
      <a className={buttonClass('primary', 'lg')} href={ssoUrl}>
        {t('login.continueToProvider')}
      </a>
    </div>
  );
}

function AcceptForm({ invitation, token, onAccepted }: Props & { invitation: Invitation }) {
  const { t } = useMessages();
  const form = useForm({
    saved: { fullName: invitation.fullName ?? '', password: '' },
    send: ({ fullName, password }) =>
      formApi.acceptInvitation({ body: { token, password, ...(fullName.trim() ? { fullName: fullName.trim() } : {}) } }),
    onSaved: onAccepted,
    keepValues: true,
    fieldOfCode: { weak_password: 'password' },
  });
  if (codeOf(form.error) === 'email_in_use') return <AddressTaken who={invitation.invitedByName ?? invitation.partnerName} />;
  return (
    <Form form={form}>
      <div>
        <h1 className="mb-1 text-2xl tracking-figure text-balance">
          {t('login.join', { name: invitation.clientName ?? invitation.partnerName })}
        </h1>
        <p className="text-ink-2">{sentence(invitation, t)}</p>
      </div>
      <Field label={t('login.email')} note={t('login.setByInvitation')}>
        {(ids) => (
          <Input {...ids} size="lg" type="email" readOnly autoComplete="username" value={invitation.email} className="!bg-sunken" />
        )}
      </Field>
      <TextField
        label={t('login.yourName')}
        size="lg"
        required
        maxLength={LIMITS.nameMax}
        autoComplete="name"
        autoFocus={!invitation.fullName}
        {...form.input('fullName')}
      />
      <NewPasswordField label={t('login.password')} email={invitation.email} {...form.input('password')} />
      <PlainButton kind="primary" size="lg" type="submit" busy={form.isBusy && t('login.creating')}>
        {t('login.setPassword')}
      </PlainButton>
      <Note tone="live">
        <p className="text-sm">{t('login.useThese')}</p>
      </Note>
    </Form>
  );
}

/** One address is one account across all agencies; only its holder learns of it. */
function AddressTaken({ who }: { who: string }) {
  const { t } = useMessages();
  return (
    <div role="alert" className="grid gap-4">
      <h1 className="text-2xl tracking-figure text-balance">{t('login.addressTaken')}</h1>
      <p className="text-ink-2 text-pretty">{t('login.addressTakenText', { who })}</p>
      <p>
        <a className="link" href="/login">
          {t('login.goToLogin')}
        </a>
      </p>
    </div>
  );
}

function sentence({ invitedByName, partnerName, clientName, kind }: Invitation, t: Messages['t']): string {
  const who = invitedByName ?? partnerName;
  switch (kind) {
    case 'client_user':
      return t('login.invitedToClient', { who, client: clientName ?? partnerName });
    case 'owner':
      return who === partnerName
        ? t('login.invitedAsFirst', { agency: partnerName })
        : t('login.invitedAsOwner', { who, agency: partnerName });
    case 'team':
      return t('login.invitedToTeam', { who, agency: partnerName });
  }
}

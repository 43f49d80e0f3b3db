import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { slugIn, ssoStart } from '../../shared/sso-start.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { AffectedPeople } from './affected-people.tsx';
import { type Connection, setConnection } from './queries.ts';

const HERE = '/dashboard/settings/sso';
/** Turning it off needs a recent login, and while it is on only the provider confirms one. */
const WAY_BACK = `An admin who has logged in through your provider in the last ${LIMITS.recentLoginMinutes} minutes can turn this off. If your provider fails, only support can`;

/** Enforces SSO for the whole team. See docs/behaviour/sso.md. */
export function EnforcementPanel({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const { enforced, available, updatedAt } = connection;
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (on: boolean) =>
      api.enforceSso({ body: { enforced: on }, ...(updatedAt ? { headers: { 'if-match': `"${updatedAt}"` } } : {}) }),
    onSuccess: (saved, on) => {
      setConnection(saved);
      setAsking(false);
      if (on) announce('SSO enforced. Your team logs in through your provider only.');
      else announce('SSO no longer enforced. Passwords work again.', { undo: () => change.mutate(true) });
    },
    onError: (error) => {
      setAsking(false);
      announceError(error);
    },
  });
  const reason = refusal ?? (enforced ? undefined : whyNot(connection));
  return (
    <Panel title="Enforcement" aside={enforced ? <Badge mark="ok">On</Badge> : <Badge>Off</Badge>}>
      <div className="grid gap-4">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium">Require single sign-on</p>
            <p className="text-ink-2">Your team’s passwords stop working. Your clients’ users log in as before.</p>
          </div>
          <Switch
            label="Require single sign-on"
            checked={enforced}
            disabledReason={reason}
            onChange={(on) => (on ? setAsking(true) : change.mutate(false))}
          />
        </div>
        {enforced && !available ? <Note tone="warn">Your plan no longer includes single sign-on, so passwords still work.</Note> : null}
        {enforced ? (
          <p className="text-xs text-ink-3">
            {WAY_BACK}; all admins of your agency are then notified.
            {connection.protocol === 'oidc' ? ' The client secret can be replaced meanwhile, by one that your provider accepts.' : null}
          </p>
        ) : (
          <Conditions connection={connection} canAct={refusal === undefined} />
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Enforce single sign-on?"
        action="Enforce single sign-on"
        keep="Not yet"
        busy={change.isPending && 'Enforcing'}
        onConfirm={() => change.mutate(true)}
      >
        <p className="mb-2">
          <b>Your whole team’s passwords stop working</b>, including yours. Anyone not in your provider, or outside{' '}
          <b>{connection.emailDomains.join(', ')}</b>, cannot log in.
        </p>
        {isAsking ? <AffectedPeople /> : null}
        <p>Open sessions continue. You cannot change the connection while this is on. {WAY_BACK}.</p>
      </ConfirmDialog>
    </Panel>
  );
}

/** Returns why enforcement cannot be turned on yet; undefined if it can. */
function whyNot({ available, configured, status, callerSignedIn }: Connection): string | undefined {
  if (!available) return 'Your plan does not include single sign-on.';
  if (!configured) return 'Save a connection first.';
  if (status !== 'verified') return 'Run a test login first: it verifies the connection.';
  return callerSignedIn ? undefined : 'Log in through your provider yourself first.';
}

function Conditions({ connection, canAct }: { connection: Connection; canAct: boolean }) {
  const { configured, status, callerSignedIn, loginUrl } = connection;
  const isVerified = status === 'verified';
  const slug = slugIn(new URL(loginUrl).searchParams.get('sso') ?? '');
  return (
    <div className="border-t border-line-soft pt-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Requirements</h3>
      <ul>
        <Condition isMet={configured}>Connection saved</Condition>
        <Condition isMet={isVerified}>Connection verified by a test login</Condition>
        <Condition isMet={callerSignedIn}>You are logged in through it</Condition>
      </ul>
      {isVerified && !callerSignedIn && canAct && slug ? (
        <a className={buttonClass('primary', 'md', 'mt-2')} href={ssoStart(slug, HERE)}>
          Log in through it now
        </a>
      ) : null}
    </div>
  );
}

function Condition({ isMet, children }: { isMet: boolean; children: ReactNode }) {
  return (
    <li className="flex min-h-7.5 items-center gap-2.5">
      <Mark kind={isMet ? 'ok' : 'none'} />
      <span className={isMet ? 'text-ink-2' : undefined}>
        {children}
        <span className="sr-only">{isMet ? ', done' : ', not yet'}</span>
      </span>
    </li>
  );
}

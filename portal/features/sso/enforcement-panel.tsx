import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { slugIn, ssoStart } from '../../shared/sso.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Connection, setConnection } from './queries.ts';

const HERE = '/dashboard/settings/sso';

/** The second of the two controls: whether the team may come in any other way (specification, Single sign-on). */
export function EnforcementPanel({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const { enforced, available } = connection;
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (on: boolean) => api.enforceSso({ body: { enforced: on } }),
    onSuccess: (saved, on) => {
      setConnection(saved);
      setAsking(false);
      if (on) announce('Your team now logs in through your provider only.');
      else announce('Passwords work again.', { undo: () => change.mutate(true) });
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
            <p className="font-medium">Only through your provider</p>
            <p className="text-ink-2">Passwords of your team stop working. People of your clients log in as before.</p>
          </div>
          <Switch
            label="Only through your provider"
            checked={enforced}
            disabledReason={reason}
            onChange={(on) => (on ? setAsking(true) : change.mutate(false))}
          />
        </div>
        {enforced && !available ? (
          <Note tone="warn">Your plan no longer includes single sign-on, so passwords work all the same.</Note>
        ) : null}
        {enforced ? (
          <p className="text-xs text-ink-3">
            If your provider fails and nobody comes in, write to our support: staff can lift this, and every admin of your agency is told.
          </p>
        ) : (
          <Conditions connection={connection} canAct={refusal === undefined} />
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Let the team in through your provider only?"
        action="Enforce single sign-on"
        keep="Not yet"
        busy={change.isPending && 'Enforcing'}
        onConfirm={() => change.mutate(true)}
      >
        <p className="mb-2">
          <b>No password of your team works any more</b>, yours too. Who is not in your provider, or outside{' '}
          <b>{connection.emailDomains.join(', ')}</b>, cannot log in.
        </p>
        <p>Open sessions stay until they end. Any admin who is logged in can lift this; the connection cannot be changed meanwhile.</p>
      </ConfirmDialog>
    </Panel>
  );
}

/** Why it cannot be switched on yet; undefined when it can. */
function whyNot({ available, configured, status, callerSignedIn }: Connection): string | undefined {
  if (!available) return 'Your plan does not include single sign-on.';
  if (!configured) return 'Save a connection first.';
  if (status !== 'verified') return 'Run a test login first: it verifies the connection.';
  return callerSignedIn ? undefined : 'Sign in through your provider once yourself first.';
}

function Conditions({ connection, canAct }: { connection: Connection; canAct: boolean }) {
  const { configured, status, callerSignedIn, loginUrl } = connection;
  const isVerified = status === 'verified';
  const slug = slugIn(new URL(loginUrl).searchParams.get('sso') ?? '');
  return (
    <div className="border-t border-line-soft pt-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Before it can be switched on</h3>
      <ul>
        <Condition isMet={configured}>The connection is saved</Condition>
        <Condition isMet={isVerified}>A test login verified it</Condition>
        <Condition isMet={callerSignedIn}>You came in through it yourself</Condition>
      </ul>
      {isVerified && !callerSignedIn && canAct && slug ? (
        <a className={buttonClass('primary', 'md', 'mt-2')} href={ssoStart(slug, HERE)}>
          Sign in through it now
        </a>
      ) : null}
    </div>
  );
}

function Condition({ isMet, children }: { isMet: boolean; children: ReactNode }) {
  return (
    <li className="flex min-h-[30px] items-center gap-2.5">
      <Mark kind={isMet ? 'ok' : 'none'} />
      <span className={isMet ? 'text-ink-2' : undefined}>
        {children}
        <span className="sr-only">{isMet ? ', done' : ', not yet'}</span>
      </span>
    </li>
  );
}

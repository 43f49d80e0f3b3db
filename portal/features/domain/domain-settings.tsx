import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useLoaded } from '../../app/route-data.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { PlanGate } from '../../shared/plan-gate.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Time } from '../../ui/text/time.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { type Domain, domainQuery, type OwnDomain, setDomain } from '../../queries/domain.ts';

const PROBLEMS: Readonly<Record<NonNullable<Domain['problem']>, string>> = {
  record_missing: 'There is no TXT record yet. A new record can take up to an hour to appear everywhere.',
  wrong_value: 'The TXT record has another value. Copy the value below in full.',
  several_values: 'There are several TXT records, and none has the value below.',
  no_answer: 'The name servers of the domain did not answer. We keep trying.',
  no_address:
    'The TXT record is right, but the host has no address yet. Set the CNAME record. Until then, invitations and mail to clients link to the address of the portal.',
  taken: 'The record is right, but another account verified this domain before. Contact us if it is yours.',
};

/** Settings of the agency's own host for its client portal. */
export function DomainSettings() {
  const { available, domain } = useLoaded(domainQuery);
  const refusal = useRefusal('agency.manage');
  if (!available && !domain) return <PlanGate feature="domain" />;
  return (
    <div className="grid max-w-190 gap-5">
      {available ? null : (
        <Note
          tone="warn"
          action={
            <Link className="link" to="/dashboard/billing/plan">
              Request a plan
            </Link>
          }
        >
          Your plan no longer includes a custom domain. Your clients use the address of the portal; the domain stays saved.
        </Note>
      )}
      {domain ? <Standing key={domain.host} domain={domain} available={available} refusal={refusal} /> : null}
      {domain ? null : <HostPanel refusal={refusal} />}
    </div>
  );
}

function HostPanel({ refusal, saved, onDone }: { refusal: string | undefined; saved?: Domain; onDone?: () => void }) {
  const form = useForm<{ host: string }, OwnDomain>({
    saved: { host: saved?.host ?? '' },
    send: ({ host }) => formApi.putMyDomain({ body: { host } }),
    fieldOfCode: { already_exists: 'host' },
    onSaved: (answer) => {
      setDomain(answer);
      announce('Domain saved. Now set the records.');
      onDone?.();
    },
  });
  return (
    <Panel title={saved ? 'Change the domain' : 'Your domain'}>
      <Form form={form} hasSummary={false}>
        <p className="text-ink-2">Choose a name below a domain of your agency. Your website stays where it is.</p>
        <TextField
          label="Host name"
          placeholder="portal.your-agency.com"
          required
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={refusal !== undefined}
          {...form.input('host')}
        />
        {saved?.isServed ? <Note tone="warn">{saved.host} stops working as soon as you save another name.</Note> : null}
        <div className="flex flex-wrap justify-end gap-2">
          {onDone ? <Button onClick={onDone}>Cancel</Button> : null}
          <Button kind="primary" type="submit" disabledReason={refusal} busy={form.isBusy && 'Saving'}>
            Save domain
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function Standing({ domain, available, refusal }: { domain: Domain; available: boolean; refusal: string | undefined }) {
  const [isChanging, setChanging] = useState(false);
  const check = useMutation({
    mutationFn: () => api.verifyMyDomain(),
    onSuccess: (answer) => {
      setDomain(answer);
      announce(answer.domain?.problem ? 'Checked. The domain is not ready yet.' : 'Checked. The domain is verified.');
    },
    onError: announceError,
  });
  const blocked = refusal ?? (available ? undefined : 'Your plan does not include a custom domain.');
  if (isChanging) return <HostPanel refusal={refusal} saved={domain} onDone={() => setChanging(false)} />;
  return (
    <Panel title={<span className="break-all">{domain.host}</span>} aside={<Status domain={domain} />}>
      <div className="grid gap-4">
        <Problem domain={domain} />
        <section className="grid gap-2.5">
          <h3 className="text-xs font-medium text-ink-3">Records to set where your domain is managed</h3>
          <RecordBox type="TXT" about="proves that the domain is yours; keep it" name={domain.txtName} value={domain.txtValue} />
          <RecordBox type="CNAME" about="takes your clients to their portal" name={domain.host} value={domain.cnameTarget} />
        </section>
        <KeyValues
          rows={[
            ['Last check', domain.checkedAt ? <Time key="c" iso={domain.checkedAt} /> : 'not yet'],
            ['Verified', domain.verifiedAt ? <Time key="v" iso={domain.verifiedAt} /> : 'not yet'],
          ]}
        />
        <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft pt-4">
          <RemoveDomain host={domain.host} refusal={refusal} />
          <Button disabledReason={blocked} onClick={() => setChanging(true)}>
            Change
          </Button>
          <Button kind="primary" disabledReason={blocked} busy={check.isPending && 'Checking'} onClick={() => check.mutate()}>
            Check now
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function Status({ domain }: { domain: Domain }) {
  switch (domain.status) {
    case 'failing':
      return <Badge mark="bad">Stopped</Badge>;
    case 'pending':
      return <Badge mark="warn">Waiting for the records</Badge>;
    case 'verified':
      if (!domain.isServed) return <Badge>Not in your plan</Badge>;
      if (!domain.hasAddress) return <Badge mark="warn">No address</Badge>;
      return domain.servedUntil ? <Badge mark="warn">Record missing</Badge> : <Badge mark="ok">Verified</Badge>;
  }
}

function Problem({ domain }: { domain: Domain }) {
  const { status, problem, servedUntil, isServed, host } = domain;
  if (status === 'verified' && !problem && isServed)
    return (
      <Note tone="ok">
        Your clients log in at{' '}
        <a className="link break-all" href={`https://${host}/login`} target="_blank" rel="noreferrer">
          {host}
        </a>
        . Invitations and mail to clients link there. Your team stays here.
      </Note>
    );
  if (!problem)
    return status === 'pending' ? <Note tone="live">Set both records, then check. We also look for them every hour.</Note> : null;
  return (
    <Note tone={status === 'failing' || problem === 'taken' ? 'bad' : 'warn'}>
      {PROBLEMS[problem]}
      {servedUntil ? (
        <>
          {' '}
          The domain works until <Time iso={servedUntil} />.
        </>
      ) : null}
      {status === 'failing' ? ' The domain no longer works. It comes back by itself once the record is right.' : ''}
    </Note>
  );
}

function RecordBox({ type, about, name, value }: { type: string; about: string; name: string; value: string }) {
  return (
    <div className="rounded-md border border-line-soft bg-sunken px-3 py-2">
      <p className="text-xs text-ink-2">
        <b>{type}</b>, {about}
      </p>
      {[
        ['Name', name],
        ['Value', value],
      ].map(([label = '', text = '']) => (
        <p key={label} className="flex items-center gap-2">
          <span className="w-12 flex-none text-xs text-ink-2">{label}</span>
          <code className="min-w-0 flex-1 break-all">{text}</code>
          <CopyButton icon text={text} label={`Copy the ${label.toLowerCase()} of the ${type} record`} />
        </p>
      ))}
    </div>
  );
}

function RemoveDomain({ host, refusal }: { host: string; refusal: string | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteMyDomain(),
    onSuccess: () => announce('Domain removed.'),
    onError: announceError,
    onSettled: () => {
      setAsking(false);
      return refreshAfter('domainChanged');
    },
  });
  return (
    <>
      <Button kind="danger-text" disabledReason={refusal} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the domain?"
        action="Remove domain"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <b>{host} stops working at once</b>, also in links that were already mailed. Your clients log in at the address of the portal
          again.
        </p>
      </ConfirmDialog>
    </>
  );
}

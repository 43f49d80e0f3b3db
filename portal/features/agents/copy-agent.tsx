import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { type Agent, type CopyTarget, copyPreviewQuery } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { announceResults } from '../../shared/announce-results.ts';
import { ClientChoice } from '../../shared/client-choice.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button, type ButtonSize } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import './copy-agent.css';

/** Opens the dialog that copies an agent to other clients. */
export function CopyAgent({ agent, size = 'md' }: { agent: Agent; size?: ButtonSize }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('requests.create');
  return (
    <>
      <Button size={size} icon={<Copy aria-hidden />} disabledReason={refusal} onClick={() => setOpen(true)}>
        Copy to clients
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Copy ${agent.name} to other clients`} wide>
        <CopyForm agent={agent} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function CopyForm({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // One key per opened form, so that a repeated submit makes no second request.
  const [key] = useState(() => crypto.randomUUID());
  const preview = useQuery({ ...copyPreviewQuery(agent.id, chosen), enabled: chosen.length > 0 });
  const targets = chosen.length === 0 ? [] : (preview.data?.targets ?? []).filter((one) => chosen.includes(one.clientId));
  const possible = targets.filter((one) => one.needsInstallation).length;
  const copy = useMutation({
    mutationFn: () => api.copyAgent({ params: { id: agent.id }, body: { clientIds: [...chosen] }, headers: { 'idempotency-key': key } }),
    onSuccess: ({ results }) => {
      onClose();
      void refreshAfter('agentRequestChanged');
      announceResults(results, 'request');
      void navigate({ to: '/dashboard/requests' });
    },
    onError: (error) => announceError(error),
  });
  return (
    <form
      className="grid gap-4 pt-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (possible > 0) copy.mutate();
      }}
    >
      <p className="text-ink-2">
        Each client gets a request with these settings. Your platform team approves and installs it. Numbers, links and texts that name{' '}
        {agent.clientName ?? 'a business'} are left out.
      </p>
      <ClientChoice legend="Copy to" chosen={chosen} onChange={setChosen} except={agent.clientId ?? undefined} />
      {preview.error ? <ErrorBlock error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {chosen.length > 0 && !preview.data && !preview.error ? (
        <SkeletonRows rows={Math.min(chosen.length, 4)} height={44} label="Checking the clients" />
      ) : null}
      {targets.length > 0 ? (
        <section aria-label="What each client gets" className="copy-agent-targets">
          <ul>
            {targets.map((target) => (
              <Target key={target.clientId} target={target} />
            ))}
          </ul>
        </section>
      ) : null}
      {preview.data?.setupStatus === 'unprovisioned' && possible > 0 ? (
        <Note tone="warn">Your agency’s automation is not set up yet. The platform team sets it up with the first agent it installs.</Note>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={possible === 0 || preview.isPlaceholderData} busy={copy.isPending && 'Submitting'}>
          {possible === 0 ? 'Request copies' : `Request ${plural(possible, 'copy', 'copies')}`}
        </Button>
      </DialogActions>
    </form>
  );
}

const STATES: Record<CopyTarget['state'], { mark: MarkKind; tone?: 'warn'; word: string }> = {
  ready: { mark: 'ok', word: 'Ready to install' },
  missing: { mark: 'warn', tone: 'warn', word: 'Needs a key' },
  has_agent: { mark: 'skip', word: 'Already has this agent' },
  requested: { mark: 'wait', word: 'Already requested' },
  not_allowed: { mark: 'pause', word: 'Suspended or archived' },
};

function Target({ target }: { target: CopyTarget }) {
  const { mark, tone, word } = STATES[target.state];
  const keys = target.missingConnections.map((provider) => PROVIDERS[provider].name);
  const settings = target.missingSettings.map(({ label }) => label.toLowerCase());
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3">
        <b className="min-w-0 flex-1 truncate font-medium">{target.clientName}</b>
        <Status mark={mark} {...(tone ? { tone } : {})}>
          {keys.length > 0 && target.state === 'missing' ? `Needs ${joinWords(keys)}` : word}
        </Status>
      </div>
      {target.needsInstallation ? (
        <>
          {settings.length > 0 ? <p className="text-warn">Fill in afterwards: {joinWords(settings)}.</p> : null}
          {target.differences.length > 0 ? (
            <details>
              <summary>
                {formatNumber(target.differences.length)} {target.differences.length === 1 ? 'setting differs' : 'settings differ'}
              </summary>
              <dl>
                {target.differences.map((one) => (
                  <div key={one.key}>
                    <dt>{one.label}</dt>
                    <dd>{describeDifference(one)}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
        </>
      ) : null}
    </li>
  );
}

const WHY: Record<CopyTarget['differences'][number]['reason'], string> = {
  given: '',
  of_one_client: '',
  names_the_source: ', because the text names the other business',
  local_time: '',
};

function describeDifference({ from, reason, value }: CopyTarget['differences'][number]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  const why = WHY[reason];
  switch (from) {
    case 'given':
      return text;
    case 'profile':
      return `${text}, from the client’s business profile`;
    case 'default':
      return `The template’s text${why}`;
    case 'source':
      return `${text}, in the client’s own time zone`;
    default:
      return `Empty${why}`;
  }
}

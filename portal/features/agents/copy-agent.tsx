import { useNavigate } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import type { Agent } from '../../queries/agents.ts';
import { announceResults } from '../../shared/announce-results.ts';
import { ClientChoice } from '../../shared/client-choice.tsx';
import { Button, type ButtonSize } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Progress } from '../../ui/feedback/progress.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { useHoldOpen } from '../../ui/overlays/hold-open.ts';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { CopyPreviewList } from './copy-preview-list.tsx';
import { CopyResults } from './copy-results.tsx';
import { useCopyPreviews } from './use-copy-previews.ts';
import { useCopySending } from './use-copy-sending.ts';

/** Agents that are copied together. */
const AGENTS_MAX = 10;
/** Clients that are chosen at once. */
const CLIENTS_MAX = 1_000;

/** Opens the dialog that copies agents to other clients. */
export function CopyAgents({ agents, size = 'md' }: { agents: readonly Agent[]; size?: ButtonSize }) {
  // The agents of the opened dialog: the list behind it changes.
  const [opened, setOpened] = useState<readonly Agent[]>();
  const refusal = useRefusal('requests.create');
  const tooMany = agents.length > AGENTS_MAX ? `Select at most ${AGENTS_MAX} agents.` : undefined;
  const close = (): void => setOpened(undefined);
  return (
    <>
      <Button size={size} icon={<Copy aria-hidden />} disabledReason={refusal ?? tooMany} onClick={() => setOpened(agents)}>
        Copy to clients
      </Button>
      <Dialog
        open={opened !== undefined}
        onClose={close}
        title={opened?.length === 1 ? `Copy ${opened[0]?.name} to other clients` : `Copy ${opened?.length ?? 0} agents to other clients`}
        wide
      >
        {opened ? <CopyForm agents={opened} onClose={close} /> : null}
      </Dialog>
    </>
  );
}

type FormProps = { agents: readonly Agent[]; onClose: () => void };

function CopyForm({ agents, onClose }: FormProps) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const previews = useCopyPreviews(agents, chosen);
  const openRequests = (): void => {
    onClose();
    void navigate({ to: '/dashboard/requests' });
  };
  const sending = useCopySending((calls) => {
    const [only] = calls;
    // The requests themselves say what became of one call.
    if (calls.length > 1 || !only?.results) return;
    announceResults([...only.results]);
    openRequests();
  });
  useHoldOpen(sending.isBusy);
  const possible = agents.map(({ id }) => ({
    agentId: id,
    clientIds: previews.targetsOf(id).flatMap((target) => (target.needsInstallation ? [target.clientId] : [])),
  }));
  const count = possible.reduce((sum, { clientIds }) => sum + clientIds.length, 0);
  const isChecking = previews.checked < previews.total && previews.errors.size === 0;
  if (sending.calls.length > 0) return <CopyResults agents={agents} sending={sending} onClose={onClose} onRequests={openRequests} />;
  return (
    <form
      className="grid grid-cols-1 gap-4 pt-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (count === 0 || isChecking) return;
        sending.start(possible);
      }}
    >
      <p className="text-ink-2">
        Each client gets a request with these settings. Your platform team approves and installs it. Numbers, links and texts that name{' '}
        {agents.length === 1 ? (agents[0]?.clientName ?? 'a business') : 'a business'} are left out.
      </p>
      {agents.length > 1 ? <p>{joinWords(agents.map(inWords))}</p> : null}
      <ClientChoice
        legend="Copy to"
        chosen={chosen}
        onChange={setChosen}
        most={CLIENTS_MAX}
        except={agents.length === 1 ? (agents[0]?.clientId ?? undefined) : undefined}
      />
      {isChecking ? (
        <Progress label="Checking the clients" percent={Math.floor((previews.checked / previews.total) * 100)}>
          {`Checked ${formatNumber(previews.checked)} of ${formatNumber(previews.total)}`}
        </Progress>
      ) : null}
      {chosen.length > 0 ? <CopyPreviewList agents={agents} previews={previews} /> : null}
      {previews.setupStatus === 'unprovisioned' && count > 0 ? (
        <Note tone="warn">Your agency’s automation is not set up yet. The platform team sets it up with the first agent it installs.</Note>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={count === 0 || isChecking}>
          {count === 0 ? 'Request copies' : `Request ${plural(count, 'copy', 'copies')}`}
        </Button>
      </DialogActions>
    </form>
  );
}

function inWords({ name, clientName }: Agent): string {
  return clientName === null ? name : `${name} of ${clientName}`;
}

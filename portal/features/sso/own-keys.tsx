import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type Connection, setConnection } from './queries.ts';

/** The keys in our metadata, and how to replace one without a login that fails: add, import at the provider, use. */
export function OwnKeys({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const { keys } = connection;
  const next = keys.find(({ use }) => use === 'next');
  const add = useMutation({
    mutationFn: () => api.addSsoKey(),
    onSuccess: (saved) => {
      setConnection(saved);
      announce(saved.keys.length > 1 ? 'Our metadata lists a next key. Import it at your provider.' : 'Our metadata lists a key now.');
    },
    onError: announceError,
  });
  const use = useMutation({
    mutationFn: () => api.useSsoKey(),
    onSuccess: (saved) => {
      setConnection(saved);
      setAsking(false);
      announce('The next key is in use.');
    },
    onError: (error) => {
      setAsking(false);
      announceError(error);
    },
  });
  return (
    <section className="grid gap-2 border-t border-line-soft pt-4">
      <h3 className="text-xs font-medium text-ink-3">Our keys</h3>
      {keys.length === 0 ? (
        <p className="text-ink-2">No signing key yet. Requests are unsigned and responses can’t be encrypted.</p>
      ) : (
        <ul className="grid gap-1.5">
          {keys.map((key) => (
            <li key={key.fingerprint}>
              {key.use === 'current' ? 'In use' : 'Next'}, until <Time iso={key.expiresAt} />
              <code className="block text-xs break-all text-ink-3">SHA-256 {key.fingerprint}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="text-ink-2">
        {next ? 'Import our metadata at your provider again, so that it knows both keys. Then use the next one.' : signing(connection)}
      </p>
      <div className="flex flex-wrap gap-2">
        {next ? (
          <Button size="sm" disabledReason={refusal} onClick={() => setAsking(true)}>
            Use the next key
          </Button>
        ) : (
          <Button size="sm" disabledReason={refusal} busy={add.isPending && 'Creating'} onClick={() => add.mutate()}>
            {keys.length === 0 ? 'Create a key' : 'Add a next key'}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Use the next key?"
        action="Use the next key"
        busy={use.isPending && 'Replacing'}
        onConfirm={() => use.mutate()}
      >
        <p>
          This retires the current key. If your provider does not know the next one yet,{' '}
          <b>it refuses our requests, or encrypts what we cannot read</b>.
        </p>
      </ConfirmDialog>
    </section>
  );
}

function signing({ keys, signsRequests, providerWantsSigned }: Connection): string {
  if (keys.length === 0) return 'Create one if your provider wants signed requests or encrypts.';
  if (providerWantsSigned) return 'Requests are signed, as the metadata of your provider wants it.';
  return signsRequests ? 'Requests are signed, as you chose.' : 'Requests are not signed: your provider does not ask for it.';
}

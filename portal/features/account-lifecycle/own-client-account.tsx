import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { DeletionPanel } from './deletion-panel.tsx';
import { ExportsPanel } from './exports-panel.tsx';

/** Exports and deletion of the client's own account, in its settings. */
export function OwnClientAccount() {
  const { t } = useMessages();
  const { client, viewAs } = useUser();
  if (viewAs || !client) return null;
  return (
    <div className="mt-12 grid max-w-form grid-cols-1 gap-10">
      <ExportsPanel account={{ scope: 'client' }} name={client.name} size="lg" />
      <DeletionPanel
        account={{ scope: 'client' }}
        decider="agency"
        title={t('lifecycle.delete-account', { name: client.name })}
        size="lg"
      />
    </div>
  );
}

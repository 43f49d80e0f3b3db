import type { Client } from '../../queries/clients.ts';
import { DeletionPanel } from './deletion-panel.tsx';
import { PendingReactivation } from './decide-reactivation.tsx';
import { ExportsPanel } from './exports-panel.tsx';

/** The account of one client, for its agency: a request to have it back, exports and deletion. */
export function ClientAccount({ client }: { client: Client }) {
  const account = { scope: 'client', clientId: client.id } as const;
  return (
    <div className="mt-10 grid max-w-page grid-cols-1 gap-4 border-t border-line pt-6">
      {client.status === 'suspended' ? <PendingReactivation account={account} /> : null}
      <ExportsPanel account={account} name={client.name} />
      <DeletionPanel account={account} decider="self" title={`Delete ${client.name}`} />
    </div>
  );
}

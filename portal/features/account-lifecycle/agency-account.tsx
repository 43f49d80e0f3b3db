import { useUser } from '../../app/session.ts';
import { DeletionPanel } from './deletion-panel.tsx';
import { ExportsPanel } from './exports-panel.tsx';

/** Settings › Account: exports of the agency's data, and its deletion. */
export function AgencyAccount() {
  const { partner } = useUser();
  return (
    <div className="grid max-w-page grid-cols-1 gap-4">
      <ExportsPanel account={{ scope: 'partner' }} name={partner.name} />
      <DeletionPanel account={{ scope: 'partner' }} decider="staff" title={`Delete ${partner.name}`} />
    </div>
  );
}

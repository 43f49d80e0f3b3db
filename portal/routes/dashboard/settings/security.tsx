import { createFileRoute } from '@tanstack/react-router';
import { awaitQueries } from '../../../app/route-data.ts';
import { getSession } from '../../../app/session.ts';
import { Devices } from '../../../features/account/devices.tsx';
import { OwnAccount } from '../../../features/account/own-account.tsx';
import { Password } from '../../../features/account/password.tsx';
import { TwoStep } from '../../../features/account/two-step.tsx';
import { sessionsQuery } from '../../../queries/me.ts';

export const Route = createFileRoute('/dashboard/settings/security')({
  // Waits for the sessions: without their number, the content below the list of devices would move.
  loader: ({ preload }) => (getSession()?.user.authMethod === 'view_as' ? undefined : awaitQueries(preload, sessionsQuery)),
  component: SecuritySettings,
});

function SecuritySettings() {
  return (
    <OwnAccount>
      <TwoStep />
      <Password />
      <Devices />
    </OwnAccount>
  );
}

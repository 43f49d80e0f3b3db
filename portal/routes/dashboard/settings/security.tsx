import { createFileRoute } from '@tanstack/react-router';
import { Devices } from '../../../features/account/devices.tsx';
import { OwnAccount } from '../../../features/account/own-account.tsx';
import { Password } from '../../../features/account/password.tsx';
import { TwoStep } from '../../../features/account/two-step.tsx';

export const Route = createFileRoute('/dashboard/settings/security')({ component: SecuritySettings });

function SecuritySettings() {
  return (
    <OwnAccount>
      <TwoStep />
      <Password />
      <Devices />
    </OwnAccount>
  );
}

import { createFileRoute } from '@tanstack/react-router';
import { Devices } from '../../features/account/devices.tsx';
import { OwnAccount } from '../../features/account/own-account.tsx';
import { Password } from '../../features/account/password.tsx';
import { Appearance, Profile } from '../../features/account/profile.tsx';
import { TwoStep } from '../../features/account/two-step.tsx';
import { NotificationPreferences } from '../../features/notifications/preferences.tsx';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { Part } from '../../shared/part.tsx';

export const Route = createFileRoute('/admin/account')({ component: Account });

function Account() {
  useTitle('Your account');
  return (
    <>
      <PageHeader title="Your account" meta={useUser().email} />
      <OwnAccount>
        <Profile />
        <Appearance />
        <TwoStep />
        <Password />
        <Devices />
        <Part id="notifications">
          <NotificationPreferences />
        </Part>
      </OwnAccount>
    </>
  );
}

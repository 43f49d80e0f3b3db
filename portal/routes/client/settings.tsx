import { createFileRoute } from '@tanstack/react-router';
import { Devices } from '../../features/account/devices.tsx';
import { OwnAccount } from '../../features/account/own-account.tsx';
import { Password } from '../../features/account/password.tsx';
import { Appearance, Profile } from '../../features/account/profile.tsx';
import { TwoStep } from '../../features/account/two-step.tsx';
import { NotificationPreferences } from '../../features/notifications/preferences.tsx';
import { ClientSettingsPage } from '../../features/client/settings-page.tsx';
import { Part } from '../../shared/part.tsx';

export const Route = createFileRoute('/client/settings')({ component: Settings });

function Settings() {
  return (
    <ClientSettingsPage>
      <OwnAccount>
        <Profile size="lg" />
        <Appearance />
        <TwoStep size="lg" />
        <Password size="lg" />
        <Devices size="lg" />
        <Part id="notifications">
          <NotificationPreferences size="lg" />
        </Part>
      </OwnAccount>
    </ClientSettingsPage>
  );
}

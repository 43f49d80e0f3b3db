import { createFileRoute } from '@tanstack/react-router';
import { Devices } from '../../features/account/devices.tsx';
import { OwnAccount } from '../../features/account/own-account.tsx';
import { Password } from '../../features/account/password.tsx';
import { Appearance, Profile } from '../../features/account/profile.tsx';
import { TwoStep } from '../../features/account/two-step.tsx';
import { NotificationPreferences } from '../../features/notifications/preferences.tsx';
import { OwnChatbot } from '../../features/chatbot/own-chatbot.tsx';
import { OwnClientAccount } from '../../features/account-lifecycle/own-client-account.tsx';
import { OwnSubscription } from '../../features/report/own-subscription.tsx';
import { InstallHint } from '../../features/client/install-hint.tsx';
import { ClientSettingsPage } from '../../features/client/settings-page.tsx';
import { useUser } from '../../app/session.ts';
import { Part } from '../../shared/part.tsx';

export const Route = createFileRoute('/client/settings')({ component: Settings });

function Settings() {
  // Only the own profile answers while the account is suspended; the rest is on the page that says so.
  const { client, suspension } = useUser();
  const isSuspended = Boolean(suspension);
  return (
    <ClientSettingsPage>
      <OwnAccount>
        <Profile size="lg" />
        <Appearance />
        <TwoStep size="lg" />
        <Password size="lg" />
        <Devices size="lg" />
        {isSuspended ? null : (
          <Part id="notifications">
            <NotificationPreferences size="lg" />
            {client ? (
              <div className="mb-6 max-w-[620px]">
                <OwnSubscription clientId={client.id} />
              </div>
            ) : null}
          </Part>
        )}
      </OwnAccount>
      {isSuspended ? null : <InstallHint />}
      {isSuspended ? null : <OwnChatbot />}
      {isSuspended ? null : <OwnClientAccount />}
    </ClientSettingsPage>
  );
}

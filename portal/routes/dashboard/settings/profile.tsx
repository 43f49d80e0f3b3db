import { createFileRoute } from '@tanstack/react-router';
import { OwnAccount } from '../../../features/account/own-account.tsx';
import { Appearance, Profile } from '../../../features/account/profile.tsx';

export const Route = createFileRoute('/dashboard/settings/profile')({ component: ProfileSettings });

function ProfileSettings() {
  return (
    <OwnAccount>
      <Profile />
      <Appearance />
    </OwnAccount>
  );
}

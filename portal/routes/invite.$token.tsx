import { loadBrowserMessages } from '../app/messages.ts';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { InvitePage } from '../features/session/invite-page.tsx';
import { startSession } from '../features/session/sign-in.ts';
import { LeaveGuardContext } from '../shared/forms/leave-guard-context.ts';

export const Route = createFileRoute('/invite/$token')({ loader: () => loadBrowserMessages(), component: Invite });

function Invite() {
  const { token } = Route.useParams();
  const navigate = Route.useNavigate();
  const router = useRouter();
  // The password is set once there is an answer, so no leave guard is needed.
  return (
    <LeaveGuardContext value={undefined}>
      <InvitePage
        token={token}
        onAccepted={({ email, session }) =>
          session
            ? router.history.replace(startSession(session, undefined))
            : void navigate({ to: '/login', search: { email, welcome: true } })
        }
      />
    </LeaveGuardContext>
  );
}

import { loadBrowserMessages } from '../app/messages.ts';
import { createFileRoute } from '@tanstack/react-router';
import { InvitePage } from '../features/session/invite-page.tsx';

export const Route = createFileRoute('/invite/$token')({ loader: () => loadBrowserMessages(), component: Invite });

function Invite() {
  const { token } = Route.useParams();
  const navigate = Route.useNavigate();
  return <InvitePage token={token} onAccepted={(email) => void navigate({ to: '/login', search: { email, welcome: true } })} />;
}

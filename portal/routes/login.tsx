import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { LoginPage } from '../features/session/login-page.tsx';
import { readLoginSearch } from '../features/session/login-search.ts';
import { loadLoginMessages } from '../app/messages.ts';
import { getSession, pageAfterLogin } from '../app/session.ts';
import { LeaveGuardContext } from '../shared/forms/leave-guard-context.ts';

/** For those who come here from another page. One that begins here is shown by login-app.tsx, with less to load. */
export const Route = createFileRoute('/login')({
  validateSearch: readLoginSearch,
  beforeLoad: ({ search: { next } }) => {
    const session = getSession();
    if (session) throw redirect({ href: pageAfterLogin(session, next), replace: true });
  },
  loader: () => loadLoginMessages(),
  component: Login,
});

function Login() {
  const router = useRouter();
  // What was typed has arrived once there is a session, so nothing holds the page.
  return (
    <LeaveGuardContext value={undefined}>
      <LoginPage search={Route.useSearch()} onOpen={(path) => router.history.replace(path)} />
    </LeaveGuardContext>
  );
}

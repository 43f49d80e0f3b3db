import { useNavigate, useRouter } from '@tanstack/react-router';
import { type Asked, askFor, forgetAsked } from './asked.ts';

const PAGES = { client: '/dashboard/clients', request: '/dashboard/requests', invitation: '/dashboard/settings/team' } as const;

/** Returns what opens a dialog: on this page where it has it, otherwise on the page that does, however late; on no later page. */
export function useAskOn(): (what: Asked) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const askOn = async (what: Asked): Promise<void> => {
    await navigate({ to: PAGES[what] });
    const stop = router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      if (!pathChanged) return;
      stop();
      forgetAsked(what);
    });
  };
  return (what) => {
    if (!askFor(what)) void askOn(what);
  };
}

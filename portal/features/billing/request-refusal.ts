import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { lastRequestQuery } from '../../queries/plans.ts';
import { uiText } from '../../ui/text/reader.ts';

/** Returns why the user may not request a plan, or undefined. For an account that billing suspended a plan is the way back. */
export function useRequestRefusal(): string | undefined {
  const { suspension } = useUser();
  const refusal = useRefusal('account.manage');
  const isPending = useQuery(lastRequestQuery).data?.status === 'pending';
  if (suspension && suspension.cause !== 'billing') return uiText('ui.suspended');
  return refusal ?? (isPending ? 'A request is pending. Cancel it to send another.' : undefined);
}

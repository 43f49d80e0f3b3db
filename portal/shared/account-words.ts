import type { Messages } from '@partner-portal/messages/messages.ts';
import type { DeletionPreview } from '../queries/account.ts';

/** "12 agents of 4 clients stop now." */
export function stopsText(
  t: Messages['t'],
  { scope, runningAgents: count, runningClients: clients }: Pick<DeletionPreview, 'scope' | 'runningAgents' | 'runningClients'>,
  when: 'now' | 'on_approval',
): string {
  if (count === 0) return t('lifecycle.none-running');
  const running = t('lifecycle.agents', { count });
  const agents = scope === 'partner' && clients > 0 ? t('lifecycle.agents-of-clients', { agents: running, count: clients }) : running;
  return t(when === 'now' ? 'lifecycle.stop-now' : 'lifecycle.stop-approved', { agents, count });
}
